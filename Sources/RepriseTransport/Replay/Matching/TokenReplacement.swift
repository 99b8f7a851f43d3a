/// Words that are replaced wherever they stand alone: beside no letter, digit, `_` or `-`.
package struct TokenReplacement: Sendable {
    /// By the first byte, longer words first.
    private var words: [UInt8: [(old: [UInt8], new: [UInt8])]] = [:]

    package init(_ words: [String: String] = [:]) {
        for (old, new) in words {
            let old = Array(old.utf8)
            guard let first = old.first else { continue }
            self.words[first, default: []].append((old, Array(new.utf8)))
        }
        for key in self.words.keys { self.words[key]?.sort { $0.old.count > $1.old.count } }
    }

    /// Whether there are none.
    package var isEmpty: Bool { words.isEmpty }

    /// Where words stand, in order, with what comes in their places.
    func places(in text: [UInt8]) -> [(range: Range<Int>, new: [UInt8])] {
        if words.isEmpty { return [] }
        var found: [(Range<Int>, [UInt8])] = []
        var index = 0
        while index < text.count {
            guard let candidates = words[text[index]],
                index == 0 || !Self.isWordByte(text[index - 1]),
                !isInNumber(text, index),
                let word = candidates.first(where: { stands($0.old, at: index, in: text) })
            else {
                index += 1
                continue
            }
            found.append((index..<index + word.old.count, word.new))
            index += word.old.count
        }
        return found
    }

    private func stands(_ word: [UInt8], at index: Int, in text: [UInt8]) -> Bool {
        let end = index + word.count
        return end <= text.count && text[index..<end].elementsEqual(word)
            && (end == text.count || !Self.isWordByte(text[end]))
            && !(end + 1 < text.count && text[end] == UInt8(ascii: ".")
                && Self.isDigit(text[end + 1]) && Self.isDigit(text[end - 1]))
    }

    /// Whether digits there are the fraction of a number.
    private func isInNumber(_ text: [UInt8], _ index: Int) -> Bool {
        index > 1 && text[index - 1] == UInt8(ascii: ".") && Self.isDigit(text[index - 2])
            && Self.isDigit(text[index])
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }

    /// The text with its words replaced.
    func applied(to text: [UInt8]) -> [UInt8] { applied(to: [text])?.first ?? text }

    /// The pieces of one text with its words replaced, also those that lie across pieces; a cut
    /// inside of a word stays as far behind its beginning, at most at its end.
    ///
    /// - Returns: nil where there are none.
    func applied(to pieces: [[UInt8]]) -> [[UInt8]]? {
        let text = pieces.count == 1 ? pieces[0] : Array(pieces.joined())
        let places = places(in: text)
        if places.isEmpty { return nil }
        var made = pieces.map { _ in [UInt8]() }
        var ends: [Int] = []
        for piece in pieces { ends.append((ends.last ?? 0) + piece.count) }
        var piece = 0
        var rest = places[...]
        var index = 0
        while index < text.count {
            while ends[piece] <= index { piece += 1 }
            guard let place = rest.first, place.range.lowerBound == index else {
                let end = min(ends[piece], rest.first?.range.lowerBound ?? text.count)
                made[piece] += text[index..<end]
                index = end
                continue
            }
            rest.removeFirst()
            var new = place.new[...]
            while piece + 1 < pieces.count, ends[piece] < place.range.upperBound {
                made[piece] += new.prefix(ends[piece] - index)
                new = new.dropFirst(ends[piece] - index)
                index = ends[piece]
                piece += 1
            }
            made[piece] += new
            index = place.range.upperBound
        }
        return made
    }
}
