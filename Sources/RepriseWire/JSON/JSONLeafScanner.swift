/// Finds the strings and numbers at declared paths inside a JSON text that comes in pieces.
///
/// Of each piece it tells at once which bytes are content of such a value. A path that leads to an
/// array or object stands for all strings and numbers in it, keys excepted.
package struct JSONLeafScanner: Sendable {
    /// A part of a value: what one push held of it.
    package struct Leaf: Sendable, Hashable {
        /// What the value is.
        package enum Kind: Sendable, Hashable {
            /// The range is inside the quotes; it may begin or end inside an escape.
            case string
            case number
        }

        package var kind: Kind
        /// Which pattern matched, as an index into those that were given.
        package var pattern: Int
        /// Where the value stands.
        package var path: JSONPath
        /// Offsets in the stream.
        package var range: Range<Int>
        /// Whether the value begins with this part.
        package var isStart: Bool
        /// Whether it ends with it. The last part may be empty.
        package var isEnd: Bool
    }

    private struct Frame {
        let isObject: Bool
        /// Whether the object or array lies at a declared path, and at which.
        let pattern: Int?
        var key: [UInt8] = []
        var index = 0

        var step: JSONPath.Step {
            isObject ? .key(String(decoding: key, as: UTF8.self)) : .index(index)
        }
    }

    private let patterns: [JSONPathPattern]
    private var tokenizer = JSONTokenizer()
    private var tokens: [JSONToken] = []
    private var frames: [Frame] = []
    /// The value that is open, if it is wanted, with the range that was not told yet.
    private var open: Leaf?
    private var isInKey = false

    package init(_ patterns: [JSONPathPattern]) { self.patterns = patterns }

    /// How many bytes were taken.
    package var count: Int { tokenizer.count }

    /// Whether the next byte may be content of a wanted value.
    package var isInsideLeaf: Bool { open != nil }

    /// Takes the next bytes and appends the parts of wanted values in them, in order.
    ///
    /// - Throws: The first error, with all parts before it appended; ``isInsideLeaf`` then tells
    ///   whether it was inside a wanted value.
    package mutating func push(
        _ bytes: [UInt8], into leaves: inout [Leaf]
    ) throws(JSON.ParseError) {
        let base = tokenizer.count
        defer { tokens.removeAll(keepingCapacity: true) }
        do throws(JSON.ParseError) {
            try tokenizer.push(bytes, into: &tokens)
        } catch {
            for token in tokens { take(token, bytes, base, into: &leaves) }
            tell(until: error.offset, isEnd: false, into: &leaves)
            throw error
        }
        for token in tokens { take(token, bytes, base, into: &leaves) }
        tell(until: tokenizer.count, isEnd: false, into: &leaves)
    }

    /// Says that no byte follows.
    package mutating func finish(into leaves: inout [Leaf]) throws(JSON.ParseError) {
        defer { tokens.removeAll(keepingCapacity: true) }
        try tokenizer.finish(into: &tokens)
        for token in tokens { take(token, [], tokenizer.count, into: &leaves) }
    }

    private mutating func take(
        _ token: JSONToken, _ bytes: [UInt8], _ base: Int, into leaves: inout [Leaf]
    ) {
        switch token.kind {
        case .beginObject, .beginArray:
            let frame = Frame(isObject: token.kind == .beginObject, pattern: currentPattern)
            frames.append(frame)
        case .endObject, .endArray:
            frames.removeLast()
            endValue()
        case .beginKey:
            isInKey = true
            frames[frames.count - 1].key.removeAll(keepingCapacity: true)
        case .endKey: isInKey = false
        case .text where isInKey:
            frames[frames.count - 1].key += bytes[token.start - base..<token.end - base]
        case .escape where isInKey, .loneSurrogate where isInKey:
            frames[frames.count - 1].key.append(scalar: token.scalar)
        case .text, .escape, .loneSurrogate, .digits: break
        case .beginString: begin(.string, at: token.end)
        case .beginNumber: begin(.number, at: token.start)
        case .endString:
            tell(until: token.end - 1, isEnd: true, into: &leaves)
            endValue()
        case .endNumber:
            tell(until: token.end, isEnd: true, into: &leaves)
            endValue()
        case .true, .false, .null: endValue()
        }
    }

    private mutating func endValue() {
        if let last = frames.indices.last { frames[last].index += 1 }
    }

    /// The pattern that the value at the current place falls under.
    private var currentPattern: Int? {
        if let inherited = frames.last?.pattern { return inherited }
        // Paths cost an allocation: most places are too deep or not deep enough for one.
        guard patterns.contains(where: { $0.depth == frames.count }) else { return nil }
        let path = path
        return patterns.firstIndex { $0.matches(path) }
    }

    private var path: JSONPath { JSONPath(frames.map(\.step)) }

    private mutating func begin(_ kind: Leaf.Kind, at offset: Int) {
        guard let pattern = currentPattern else { return }
        open = Leaf(
            kind: kind, pattern: pattern, path: path, range: offset..<offset, isStart: true,
            isEnd: false)
    }

    /// Tells of the open value what lies before `end`.
    private mutating func tell(until end: Int, isEnd: Bool, into leaves: inout [Leaf]) {
        guard var leaf = open else { return }
        leaf.range = leaf.range.lowerBound..<max(end, leaf.range.lowerBound)
        leaf.isEnd = isEnd
        if isEnd || !leaf.range.isEmpty { leaves.append(leaf) }
        guard !isEnd else {
            open = nil
            return
        }
        open?.isStart = leaf.isStart && leaf.range.isEmpty
        open?.range = leaf.range.upperBound..<leaf.range.upperBound
    }
}
