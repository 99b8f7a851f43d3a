/// The parameters of a `permessage-deflate` element as written (RFC 7692 section 7.1).
struct DeflateParameters {
    enum Name: String {
        case serverNoContextTakeover = "server_no_context_takeover"
        case clientNoContextTakeover = "client_no_context_takeover"
        case serverMaxWindowBits = "server_max_window_bits"
        case clientMaxWindowBits = "client_max_window_bits"
    }

    enum Window: Equatable {
        case absent
        case valueless
        case bits(Int)
    }

    var serverNoContextTakeover = false
    var clientNoContextTakeover = false
    var serverMaxWindowBits = Window.absent
    var clientMaxWindowBits = Window.absent

    /// - Throws: A parameter that is unknown, repeated, or has a wrong value.
    init(_ element: ExtensionElement) throws(WebSocketHandshakeError) {
        var seen: Set<Name> = []
        for parameter in element.parameters {
            guard let name = Name(rawValue: parameter.name) else {
                throw WebSocketHandshakeError(
                    .extensions, "permessage-deflate has an unknown parameter")
            }
            guard seen.insert(name).inserted else { throw .parameter(name, "is there twice") }
            try take(name, parameter.value)
        }
    }

    private mutating func take(
        _ name: Name, _ value: String?
    ) throws(WebSocketHandshakeError) {
        switch name {
        case .serverNoContextTakeover, .clientNoContextTakeover:
            if value != nil { throw .parameter(name, "has a value") }
            if name == .serverNoContextTakeover {
                serverNoContextTakeover = true
            } else {
                clientNoContextTakeover = true
            }
        case .serverMaxWindowBits: serverMaxWindowBits = try Self.window(name, value)
        case .clientMaxWindowBits: clientMaxWindowBits = try Self.window(name, value)
        }
    }

    private static func window(
        _ name: Name, _ value: String?
    ) throws(WebSocketHandshakeError) -> Window {
        guard let value else { return .valueless }
        // "A decimal integer value without leading zeroes between 8 to 15 inclusive".
        guard let bits = (8...15).first(where: { String($0) == value }) else {
            throw .parameter(name, "is not a number from 8 to 15")
        }
        return .bits(bits)
    }

    /// A window's bits where only the form with a value is allowed: everywhere but in an offer of
    /// the client's own window.
    func bits(_ name: Name) throws(WebSocketHandshakeError) -> Int? {
        switch name == .serverMaxWindowBits ? serverMaxWindowBits : clientMaxWindowBits {
        case .absent: return nil
        case .valueless: throw .parameter(name, "has no value")
        case .bits(let bits): return bits
        }
    }
}

extension ExtensionElement {
    mutating func add(_ name: DeflateParameters.Name, _ bits: Int? = nil) {
        parameters.append((name.rawValue, bits.map { String($0) }))
    }
}

extension WebSocketHandshakeError {
    static func parameter(_ name: DeflateParameters.Name, _ what: String) -> Self {
        WebSocketHandshakeError(.extensions, "\(name.rawValue) \(what)")
    }
}
