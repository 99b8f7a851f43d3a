extension MaskingPolicy {
    /// The secrets in the URLs that a text holds, with or without a scheme.
    func secrets(text: [UInt8]) -> [SecretFind] {
        guard text.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "=") })
        else { return [] }
        var finds: [SecretFind] = []
        var start = 0
        for index in 0...text.count
        where index == text.count || " \t\r\n\"<>".utf8.contains(text[index]) {
            let word = MaskingPolicy.withoutMarks(text, start..<index)
            let isWhole = word == 0..<text.count
            finds += secrets(word: Array(text[word]), isWhole: isWhole).map { find in
                var moved = find.moved(by: word.lowerBound)
                // A plain word may stand here as an example.
                moved.isCertain = false
                return moved
            }
            start = index + 1
        }
        return finds
    }

    /// The secrets in a setting of a client, which may be nothing but a URL, and one that no client
    /// accepts: with a blank in it, say.
    func secrets(setting: [UInt8]) -> [SecretFind] {
        let isURL =
            MaskingPolicy.beginsWithScheme(setting) || MaskingPolicy.hasPassword(setting)
        return isURL ? secrets(url: setting) : secrets(text: setting)
    }

    /// `range` without the marks that a sentence or a bracket puts around a URL.
    private static func withoutMarks(_ text: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, "'`([{".utf8.contains(text[start]) { start += 1 }
        while start < end, "'`)]},.;:!\\".utf8.contains(text[end - 1]) { end -= 1 }
        return start..<end
    }

    private func secrets(word: [UInt8], isWhole: Bool) -> [SecretFind] {
        if let mark = word.firstRange(of: Array("://".utf8)) {
            let scheme = word[..<mark.lowerBound].lastIndex { !$0.isOfScheme }
            let start = scheme.map { $0 + 1 } ?? 0
            return secrets(url: Array(word[start...])).map { $0.moved(by: start) }
        }
        if MaskingPolicy.hasPassword(word) {
            return secrets(url: word).map { find in
                var find = find
                // `name:part@version` has the same form.
                find.isLocal = !isWhole
                return find
            }
        }
        // A path alone may have parameters; its `@` is no user's.
        guard let query = word.firstIndex(where: { "?#".utf8.contains($0) }) else { return [] }
        return secrets(url: Array("/".utf8) + word[query...]).map { $0.moved(by: query - 1) }
    }

    private static func beginsWithScheme(_ text: [UInt8]) -> Bool {
        let rest = text.drop { $0 == 0x20 || $0 == 0x09 }
        let scheme = rest.prefix(while: \.isOfScheme)
        return rest.dropFirst(scheme.count).starts(with: (scheme.isEmpty ? "//" : "://").utf8)
    }

    /// Schemes before whose `@` stands an address and no password.
    private static let addressSchemes: Set<String> = [
        "mailto", "sip", "sips", "xmpp", "acct", "im", "pres", "tel", "urn", "cid", "mid",
    ]

    /// Whether a text begins with `user:password@host`.
    private static func hasPassword(_ text: [UInt8]) -> Bool {
        guard let at = text.firstIndex(of: UInt8(ascii: "@")),
            let colon = text[..<at].firstIndex(of: UInt8(ascii: ":")),
            colon > 0, colon + 1 < at, at + 1 < text.count,
            !text[..<at].contains(where: { "\" \t\r\n<>?#".utf8.contains($0) })
        else { return false }
        let host = text[at + 1]
        let user = String(decoding: text[..<colon], as: UTF8.self).lowercased()
        return (host == UInt8(ascii: "[") || host.isOfScheme || host >= 0x80)
            && !addressSchemes.contains(user)
    }
}

extension SecretFind {
    fileprivate func moved(by offset: Int) -> SecretFind {
        var moved = self
        moved.range = range.lowerBound + offset..<range.upperBound + offset
        return moved
    }
}

extension UInt8 {
    /// Whether it may stand in a URL's scheme (RFC 3986 section 3.1).
    fileprivate var isOfScheme: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}
