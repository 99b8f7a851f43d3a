/// Recorded content made fit to be shown: credentials masked, control characters escaped, cut.
///
/// Tapes are masked where they are written; a recording that came from another tool may not be.
package enum SeenText {
    /// The most characters that are shown.
    package static let limit = 200

    /// `text` made fit to be shown.
    package static func shown(_ text: String) -> String {
        // Longer than the limit, so that a credential that the cut would split is still seen whole.
        let head = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit * 8)))
        return cut(visible(String(decoding: masked(Array(head.utf8)), as: UTF8.self)))
    }

    /// Recorded words between quotes, so that blanks at their ends show and that they are not taken
    /// for words of the report.
    package static func quoted(_ text: String) -> String {
        "“\(cut(shown(text), to: limit - 2))”"
    }

    /// A sentence of the report, in which recorded words may stand: nothing is masked.
    static func sentence(_ text: String) -> String { cut(visible(text)) }

    /// `text` with everything escaped that cannot be seen, or that changes how the rest is seen.
    package static func visible(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case " "..."~": result.append(UInt8(truncatingIfNeeded: scalar.value))
            case "\n": result.append(contentsOf: "\\n".utf8)
            case "\r": result.append(contentsOf: "\\r".utf8)
            case "\t": result.append(contentsOf: "\\t".utf8)
            case _ where isControl(scalar):
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".utf8)
            default:
                result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Controls, marks that turn the direction of what follows, blanks without width, and tags.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xFFFE, 0xFFFF, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    private static func cut(_ text: String, to limit: Int = limit) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > limit else { return text }
        return String(String.UnicodeScalarView(scalars.prefix(limit - 1))) + "…"
    }
}

extension SeenText {
    /// `text` with what looks like a credential replaced by `***`: the word behind `Bearer` or
    /// `Basic`, JSON web tokens, and values whose name says so (`token`, `secret`, `key`, …).
    static func masked(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var hidesNext = false
        var name: ArraySlice<UInt8> = []
        for word in words(of: text) {
            guard isWordByte(word[word.startIndex]) else {
                result += word
                hidesNext = isSecretName(name, before: word)
                continue
            }
            // "Authorization: Bearer x": the scheme is no secret, what follows it is.
            let isSecret = (hidesNext && !isScheme(word)) || isWebToken(word)
            result += isSecret ? Array("***".utf8) : Array(word)
            name = word
        }
        return result
    }

    /// Runs of word bytes and runs of other bytes, in turn.
    private static func words(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var words: [ArraySlice<UInt8>] = []
        var start = 0
        for index in bytes.indices.dropFirst()
        where isWordByte(bytes[index]) != isWordByte(bytes[index - 1]) {
            words.append(bytes[start..<index])
            start = index
        }
        if start < bytes.count { words.append(bytes[start...]) }
        return words
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "*"):
            true
        default: byte >= 0x80
        }
    }

    private static func isScheme(_ word: ArraySlice<UInt8>) -> Bool {
        ["bearer", "basic"].contains(String(decoding: word, as: UTF8.self).lowercased())
    }

    /// Whether a value follows `gap`, and `name` says that it is a credential.
    private static func isSecretName(
        _ name: ArraySlice<UInt8>, before gap: ArraySlice<UInt8>
    ) -> Bool {
        guard gap.allSatisfy({ " :=\"'\\".utf8.contains($0) }) else { return false }
        if isScheme(name) { return true }
        guard gap.contains(UInt8(ascii: ":")) || gap.contains(UInt8(ascii: "=")) else {
            return false
        }
        let text = String(decoding: name, as: UTF8.self).lowercased()
        return secretNames.contains { text.contains($0) }
    }

    private static let secretNames = [
        "token", "secret", "key", "auth", "cookie", "session", "password", "credential", "jwt",
    ]

    /// Three parts between dots, of which the first is the Base64 of `{"`.
    private static func isWebToken(_ word: ArraySlice<UInt8>) -> Bool {
        word.starts(with: "eyJ".utf8) && word.count { $0 == UInt8(ascii: ".") } == 2
    }
}
