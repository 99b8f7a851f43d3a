extension PerMessageDeflate {
    /// What a client gets from a server's response to its offers.
    ///
    /// - Throws: Why the response answers none of the offers, said of the first one.
    static func accepted(
        _ element: ExtensionElement, offers: [Offer]
    ) throws(WebSocketHandshakeError) -> PerMessageDeflate {
        let response = try DeflateParameters(element)
        var failure = WebSocketHandshakeError(.extensions, "\(name) was not offered")
        for (index, offer) in offers.enumerated() {
            do throws(WebSocketHandshakeError) {
                return try PerMessageDeflate(response, to: offer)
            } catch {
                if index == 0 { failure = error }
            }
        }
        throw failure
    }

    /// RFC 7692 sections 7.1.1 and 7.1.2, the client's view.
    private init(
        _ response: DeflateParameters, to offer: Offer
    ) throws(WebSocketHandshakeError) {
        let serverBits = try response.bits(.serverMaxWindowBits)
        let clientBits = try response.bits(.clientMaxWindowBits)
        if offer.serverNoContextTakeover && !response.serverNoContextTakeover {
            throw .parameter(.serverNoContextTakeover, "was asked for and is not in the response")
        }
        if let asked = offer.serverMaxWindowBits {
            guard let serverBits else {
                throw .parameter(.serverMaxWindowBits, "was asked for and is not in the response")
            }
            if serverBits > asked {
                throw .parameter(
                    .serverMaxWindowBits, "is \(serverBits), and at most \(asked) was asked for")
            }
        }
        var limit = 15
        switch offer.clientWindow {
        case .fixed:
            if clientBits != nil { throw .parameter(.clientMaxWindowBits, "was not offered") }
        case .open: break
        case .atMost(let bits):
            limit = bits
            if let clientBits, clientBits > bits {
                throw .parameter(
                    .clientMaxWindowBits, "is \(clientBits), and at most \(bits) was offered")
            }
        }
        self.init(
            serverNoContextTakeover: response.serverNoContextTakeover,
            // What a client says of itself holds whatever the server answers.
            clientNoContextTakeover: offer.clientNoContextTakeover
                || response.clientNoContextTakeover,
            serverMaxWindowBits: serverBits ?? 15,
            clientMaxWindowBits: min(clientBits ?? 15, limit))
    }

    /// What a server that prefers `self` answers to an offer; it takes every valid one.
    func answer(to offer: Offer) -> (agreed: PerMessageDeflate, element: ExtensionElement) {
        var agreed = self
        var element = ExtensionElement(name: Self.name)
        agreed.serverNoContextTakeover =
            serverNoContextTakeover || offer.serverNoContextTakeover
        if agreed.serverNoContextTakeover { element.add(.serverNoContextTakeover) }
        agreed.clientNoContextTakeover =
            clientNoContextTakeover || offer.clientNoContextTakeover
        if agreed.clientNoContextTakeover { element.add(.clientNoContextTakeover) }
        agreed.serverMaxWindowBits = min(serverMaxWindowBits, offer.serverMaxWindowBits ?? 15)
        if offer.serverMaxWindowBits != nil || agreed.serverMaxWindowBits < 15 {
            element.add(.serverMaxWindowBits, agreed.serverMaxWindowBits)
        }
        switch offer.clientWindow {
        case .fixed: agreed.clientMaxWindowBits = 15
        case .open: break
        case .atMost(let bits): agreed.clientMaxWindowBits = min(clientMaxWindowBits, bits)
        }
        if offer.clientWindow != .fixed && agreed.clientMaxWindowBits < 15 {
            element.add(.clientMaxWindowBits, agreed.clientMaxWindowBits)
        }
        return (agreed, element)
    }
}
