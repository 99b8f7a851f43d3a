extension MaskingPolicy {
    /// The secrets in a URL: its user info and its credential-like parameters, in the query and in
    /// the fragment.
    func secrets(url: [UInt8]) -> [SecretFind] {
        let colon = url.firstRange(of: Array("://".utf8))
        let start = colon?.upperBound ?? 0
        let end = url[start...].firstIndex { "/?#".utf8.contains($0) } ?? url.count
        return userInfo(url, start..<end) + parameters(url, end..<url.count)
    }

    /// The secrets in a text that holds a URL somewhere, such as `Location`, `Link` or `Referer`.
    func secrets(text: [UInt8]) -> [SecretFind] {
        var finds: [SecretFind] = []
        var start = 0
        for index in 0...text.count
        where index == text.count || " \t\"'<>".utf8.contains(text[index]) {
            let part = Array(text[start..<index])
            finds += secrets(url: part).map { find in
                var moved = find
                moved.range = find.range.lowerBound + start..<find.range.upperBound + start
                return moved
            }
            start = index + 1
        }
        return finds
    }

    /// `user:password@` (RFC 3986 section 3.2.1), each by itself; the colon stays.
    private func userInfo(_ url: [UInt8], _ authority: Range<Int>) -> [SecretFind] {
        guard let at = url[authority].lastIndex(of: UInt8(ascii: "@")) else { return [] }
        let colon = url[authority.lowerBound..<at].firstIndex(of: UInt8(ascii: ":")) ?? at
        let parts = [authority.lowerBound..<colon, min(colon + 1, at)..<at]
        return parts.filter { !$0.isEmpty }.map { find($0, in: url, rule: "url:userinfo") }
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
            guard isSensitive(query: name), equals + 1 < range.upperBound else { continue }
            return find(
                equals + 1..<range.upperBound, in: url, rule: "query:" + name.lowercased())
        }
        return nil
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
