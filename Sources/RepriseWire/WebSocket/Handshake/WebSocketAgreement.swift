/// What a handshake agreed on.
public struct WebSocketAgreement: Sendable, Hashable {
    /// The subprotocol; nil for none.
    public var subprotocol: String?
    /// How messages are deflated; nil where they may not be.
    public var deflate: PerMessageDeflate?

    /// An agreement; by default on nothing.
    public init(subprotocol: String? = nil, deflate: PerMessageDeflate? = nil) {
        self.subprotocol = subprotocol
        self.deflate = deflate
    }

    /// What a recorded handshake agreed on, whatever else may be wrong with it.
    ///
    /// - Throws: An error of kind `extensions` or `subprotocol`.
    public init(
        request: Headers, response: Headers
    ) throws(WebSocketHandshakeError) {
        self = try WebSocketAgreement(
            response: response, offers: PerMessageDeflate.Offer.all(in: request),
            subprotocols: request.tokens(WebSocketHandshake.Field.subprotocol))
    }

    init(
        response: Headers, offers: [PerMessageDeflate.Offer], subprotocols: [String]
    ) throws(WebSocketHandshakeError) {
        for element in try ExtensionElement.all(in: response) {
            guard element.name == PerMessageDeflate.name else {
                throw WebSocketHandshakeError(.extensions, "an extension was not offered")
            }
            guard deflate == nil else {
                throw WebSocketHandshakeError(.extensions, "\(element.name) is accepted twice")
            }
            deflate = try PerMessageDeflate.accepted(element, offers: offers)
        }
        let chosen = response.all(WebSocketHandshake.Field.subprotocol)
        guard let first = chosen.first else { return }
        guard chosen.count == 1, subprotocols.contains(first) else {
            throw WebSocketHandshakeError(
                .subprotocol, "the subprotocol in the response was not offered")
        }
        subprotocol = first
    }
}

extension Headers {
    /// The elements of a comma-separated list over all lines of a field, blanks and empty ones
    /// left out.
    func tokens(_ name: String) -> [String] {
        all(name)
            .flatMap { $0.split(separator: ",") }
            .map { Headers.trimmed($0) }
            .filter { !$0.isEmpty }
    }

    /// Whether such a list has `token`, in any case.
    func has(_ token: String, in name: String) -> Bool {
        tokens(name).contains { $0.lowercased() == token }
    }
}
