extension MaskingPolicy {
    /// The secrets in a URL: its user info and its credential-like parameters, in the query and in
    /// the fragment; of a URL inside it as well.
    ///
    /// What no client would accept is read so that a password is not taken for something else.
    func secrets(url: [UInt8]) -> [SecretFind] {
        let start = MaskingPolicy.authorityStart(url)
        let end = MaskingPolicy.authorityEnd(url, from: start)
        var finds = userInfo(url, start..<end) + parameters(url, end..<url.count)
        for inner in MaskingPolicy.innerAuthorities(url, from: end) {
            finds += userInfo(url, inner).filter { find in
                !finds.contains { $0.range.overlaps(find.range) }
            }
        }
        return finds
    }

    /// The rule that finds user info.
    static let userInfoRule = "url:userinfo"

    private static let mark = Array("://".utf8)

    private static func authorityStart(_ url: [UInt8]) -> Int {
        if let mark = url.firstRange(of: mark) { return mark.upperBound }
        return url.starts(with: "//".utf8) ? 2 : 0
    }

    /// The end of the authority (RFC 3986 section 3.2); where what would be its port is none and an
    /// `@` follows, a password holds the character that would end it.
    private static func authorityEnd(_ url: [UInt8], from start: Int) -> Int {
        let end = url[start...].firstIndex { "/?#".utf8.contains($0) } ?? url.count
        guard let colon = url[start..<end].lastIndex(of: UInt8(ascii: ":")),
            url[start] != UInt8(ascii: "["), !url[start..<end].contains(UInt8(ascii: "@")),
            colon + 1 == end || !url[(colon + 1)..<end].allSatisfy(\.isASCIIDigit),
            let at = url[end...].lastIndex(of: UInt8(ascii: "@"))
        else { return end }
        return at + 1
    }

    /// The authorities of URLs in the path, the query and the fragment of another.
    private static func innerAuthorities(_ url: [UInt8], from start: Int) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var rest = start
        while let mark = url[rest...].firstRange(of: mark) {
            rest = mark.upperBound
            let end = url[rest...].firstIndex { "/?#&".utf8.contains($0) } ?? url.count
            found.append(rest..<end)
        }
        return found
    }

    /// `user:password@` (RFC 3986 section 3.2.1), each by itself; the colon stays.
    private func userInfo(_ url: [UInt8], _ authority: Range<Int>) -> [SecretFind] {
        guard let at = url[authority].lastIndex(of: UInt8(ascii: "@")) else { return [] }
        let colon = url[authority.lowerBound..<at].firstIndex(of: UInt8(ascii: ":")) ?? at
        let user = authority.lowerBound..<colon
        let password = min(colon + 1, at)..<at
        return [user, password].filter { !$0.isEmpty }.map { part in
            var find = find(part, in: url, rule: MaskingPolicy.userInfoRule)
            // Beside a password, the user's name is no credential by itself.
            find.isCertain = part == password || password.isEmpty
            return find
        }
    }

    private func parameters(_ url: [UInt8], _ range: Range<Int>) -> [SecretFind] {
        var finds: [SecretFind] = []
        var start = range.lowerBound
        for index in range.lowerBound...range.upperBound
        where index == range.upperBound || "?&#".utf8.contains(url[index]) {
            if let find = parameter(url, start..<index) { finds.append(find) }
            start = index + 1
        }
        return finds
    }

    /// The secret of `name=value`, or of the first such behind a semicolon.
    private func parameter(_ url: [UInt8], _ range: Range<Int>) -> SecretFind? {
        for part in url.split(UInt8(ascii: ";"), in: range) {
            guard let equals = url[part].firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = String(
                decoding: url[part.lowerBound..<equals].percentDecoded, as: UTF8.self)
            // A value may hold semicolons, so it reaches to the end of the parameter.
            guard equals + 1 < range.upperBound else { continue }
            let value = equals + 1..<range.upperBound
            guard isSensitive(query: name) || holdsUserInfo(url[value]) else { continue }
            return find(value, in: url, rule: "query:" + name.lowercased())
        }
        return nil
    }

    /// Whether a parameter is itself a URL with user info, percent-encoded.
    private func holdsUserInfo(_ value: ArraySlice<UInt8>) -> Bool {
        guard value.contains(UInt8(ascii: "%")) else { return false }
        let url = value.percentDecoded
        guard let mark = url.firstRange(of: MaskingPolicy.mark) else { return false }
        return !userInfo(
            url, mark.upperBound..<MaskingPolicy.authorityEnd(url, from: mark.upperBound)
        ).isEmpty
    }

    private func find(_ range: Range<Int>, in url: [UInt8], rule: String) -> SecretFind {
        SecretFind(range: range, rule: rule, value: url[range].percentDecoded)
    }
}

extension Collection<UInt8> {
    /// These bytes with `%41` read as `A`; what is no such escape stays.
    var percentDecoded: [UInt8] {
        let bytes = Array(self)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = bytes[index + 1].hexValue, let low = bytes[index + 2].hexValue
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }
}

extension UInt8 {
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
