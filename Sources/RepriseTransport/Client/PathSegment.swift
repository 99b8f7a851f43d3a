/// One segment of a URL's path.
package enum PathSegment {
    /// `text` with everything percent-encoded but what RFC 3986 section 2.3 calls unreserved; nil
    /// for a segment that would mean another path: an empty one, `.`, `..`.
    package static func escaped(_ text: String) -> String? {
        if ["", ".", ".."].contains(text) { return nil }
        return percentEncoded(text)
    }

    /// `text` with everything percent-encoded but what is unreserved, as a query's value has it.
    package static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
