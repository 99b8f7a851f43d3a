internal import RepriseTransport
internal import RepriseWire

extension Request {
    /// What is wrong with the request, and what to do; nil where it can be sent as it stands.
    ///
    /// Nothing that a server could read as more than one header field or request gets through.
    var fault: String? {
        guard !method.isEmpty, method.utf8.allSatisfy(Self.isTokenByte), method != "CONNECT" else {
            return "the method is not one that can be sent: use a token such as GET or POST"
        }
        if method == "HEAD", !body.isEmpty { return "a HEAD request has no body: leave it out" }
        for field in headers.fields {
            guard !field.name.bytes.isEmpty, field.name.bytes.allSatisfy(Self.isTokenByte) else {
                return "a header's name is not a token (RFC 9110 section 5.6.2): correct it"
            }
            let name = field.name.description
            guard !field.value.bytes.contains(where: { [0, 10, 13].contains($0) }) else {
                return "the value of header \(name) holds a line end or a NUL: remove it"
            }
            if let fault = framingFault(name.lowercased(), field.value) { return fault }
        }
        return nil
    }

    /// Fields that would make the head lie about the body's length.
    private func framingFault(_ name: String, _ value: WireText) -> String? {
        if name == "content-length", value.description != String(body.count) {
            return "header Content-Length is not the body's length: leave it out"
        }
        if name == "transfer-encoding" {
            return "header Transfer-Encoding is the transport's own: leave it out"
        }
        return nil
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
