/// The ways in which a secret is written inside other text.
enum SecretForms {
    /// As it is, percent-encoded, and as it stands in a JSON string.
    static func all(of value: [UInt8]) -> Set<[UInt8]> {
        var forms: Set<[UInt8]> = [
            value, percentEncoded(value, hex: upper), percentEncoded(value, hex: lower),
        ]
        for escapesSlash in [false, true] {
            for escapesUnicode in [false, true] {
                forms.insert(
                    jsonEscaped(value, escapesSlash: escapesSlash, escapesUnicode: escapesUnicode))
            }
        }
        return forms
    }

    private static let upper = Array("0123456789ABCDEF".utf8)
    private static let lower = Array("0123456789abcdef".utf8)

    /// All but the unreserved characters (RFC 3986 section 2.3) as escapes.
    private static func percentEncoded(_ value: [UInt8], hex: [UInt8]) -> [UInt8] {
        value.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                [byte]
            default: [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
    }

    /// With the escapes that writers of JSON use (RFC 8259 section 7).
    private static func jsonEscaped(
        _ value: [UInt8], escapesSlash: Bool, escapesUnicode: Bool
    ) -> [UInt8] {
        guard let text = String(validating: value, as: UTF8.self) else { return value }
        return text.unicodeScalars.flatMap { scalar -> [UInt8] in
            switch scalar {
            case "\"", "\\": Array("\\\(scalar)".utf8)
            case "/" where escapesSlash: Array("\\/".utf8)
            case "\n": Array("\\n".utf8)
            case "\r": Array("\\r".utf8)
            case "\t": Array("\\t".utf8)
            case _ where scalar.value < 0x20: unicodeEscape(UInt16(scalar.value))
            case _ where escapesUnicode && !scalar.isASCII:
                String(scalar).utf16.flatMap(unicodeEscape)
            default: Array(String(scalar).utf8)
            }
        }
    }

    private static func unicodeEscape(_ unit: UInt16) -> [UInt8] {
        Array("\\u".utf8) + [12, 8, 4, 0].map { lower[Int(unit >> $0) & 15] }
    }
}
