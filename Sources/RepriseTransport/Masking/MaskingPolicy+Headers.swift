#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension MaskingPolicy {
    /// The secrets in the value of a header field.
    func secrets(header name: String, value: [UInt8]) -> [SecretFind] {
        let kind = classify(header: name, value: value)
        let rule = "header:" + name.lowercased()
        switch (kind, name.lowercased()) {
        case (.plain, "location"), (.plain, "content-location"), (.plain, "referer"):
            return secrets(url: value)
        case (.plain, _):
            return value.firstRange(of: Array("://".utf8)) == nil ? [] : secrets(text: value)
        case (_, "cookie"): return cookies(value, rule: rule, hasAttributes: false)
        case (_, "set-cookie"): return cookies(value, rule: rule, hasAttributes: true)
        default:
            let start = schemeEnd(value)
            guard start < value.count else { return [] }
            return [
                SecretFind(
                    range: start..<value.count, rule: rule, value: Array(value[start...]),
                    isCertain: kind == .credential)
            ]
        }
    }

    /// The scheme words that stay (the IANA registry and what is common); of an unknown one nobody
    /// can tell whether it is part of the secret.
    private static let schemes: Set<String> = [
        "basic", "bearer", "digest", "dpop", "gnap", "hoba", "mutual", "negotiate", "ntlm",
        "oauth", "privatetoken", "scram-sha-1", "scram-sha-256", "vapid", "token", "apikey",
        "api-key", "jwt", "key", "aws4-hmac-sha256",
    ]

    /// Where the credentials begin: behind the scheme word and its blanks.
    private func schemeEnd(_ value: [UInt8]) -> Int {
        guard let blank = value.firstIndex(of: UInt8(ascii: " ")) else { return 0 }
        let word = String(decoding: value[..<blank], as: UTF8.self).lowercased()
        guard MaskingPolicy.schemes.contains(word) else { return 0 }
        return value[blank...].firstIndex { $0 != UInt8(ascii: " ") } ?? value.count
    }

    /// The password inside `Basic` credentials (RFC 7617), which may show up by itself.
    func innerSecrets(header name: String, value: [UInt8]) -> [InnerSecret] {
        let text = String(decoding: value, as: UTF8.self)
        guard classify(header: name, value: value) != .plain, text.lowercased().hasPrefix("basic ")
        else { return [] }
        let coded = text.dropFirst(6).filter { $0 != " " }
        guard let data = Data(base64Encoded: coded),
            let colon = data.firstIndex(of: UInt8(ascii: ":"))
        else { return [] }
        return [Array(data[data.index(after: colon)...])]
    }

    private static let cookieAttributes: Set<String> = [
        "expires", "max-age", "domain", "path", "secure", "httponly", "samesite", "partitioned",
        "priority",
    ]

    /// Names and attributes stay (RFC 6265 section 4), so that a reader can tell cookies apart.
    private func cookies(
        _ value: [UInt8], rule: String, hasAttributes: Bool
    ) -> [SecretFind] {
        var finds: [SecretFind] = []
        for (index, part) in value.split(UInt8(ascii: ";")).enumerated() {
            let range = value.trimmed(part)
            let equals = value[range].firstIndex(of: UInt8(ascii: "="))
            let name = String(
                decoding: value[range.lowerBound..<(equals ?? range.upperBound)], as: UTF8.self)
            if hasAttributes, index > 0, MaskingPolicy.cookieAttributes.contains(name.lowercased())
            {
                continue
            }
            let secret = value.trimmed(
                (equals.map { $0 + 1 } ?? range.lowerBound)..<range.upperBound)
            if secret.isEmpty { continue }
            finds.append(
                SecretFind(range: secret, rule: rule, value: Array(value[secret]), isCertain: false)
            )
        }
        return finds
    }
}

extension [UInt8] {
    /// The ranges between the places where `separator` stands.
    func split(_ separator: UInt8, in range: Range<Int>? = nil) -> [Range<Int>] {
        let range = range ?? 0..<count
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        for index in range where self[index] == separator {
            parts.append(start..<index)
            start = index + 1
        }
        return parts + [start..<range.upperBound]
    }

    /// `range` without the blanks at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while start < end, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return start..<end
    }
}
