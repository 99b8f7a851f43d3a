extension PerMessageDeflate {
    /// What a client asks for and can do (RFC 7692 section 7.1); most-wanted first where it makes
    /// several offers.
    public struct Offer: Sendable, Hashable {
        /// What a client says of its own window.
        public enum ClientWindow: Sendable, Hashable {
            /// Nothing: the server may not limit it.
            case fixed
            /// The server may limit it (the form without a value).
            case open
            /// It will not be above 2 to this power, and the server may limit it further.
            case atMost(Int)
        }

        /// Asks the server to forget its window between messages.
        public var serverNoContextTakeover: Bool
        /// Says that the client forgets its window between messages.
        public var clientNoContextTakeover: Bool
        /// Asks for a server's window of 2 to this power at most, 8 to 15; nil to ask for nothing.
        public var serverMaxWindowBits: Int?
        /// What it says of the client's window.
        public var clientWindow: ClientWindow

        /// An offer; by default the one that lets the server choose.
        public init(
            serverNoContextTakeover: Bool = false, clientNoContextTakeover: Bool = false,
            serverMaxWindowBits: Int? = nil, clientWindow: ClientWindow = .open
        ) {
            self.serverNoContextTakeover = serverNoContextTakeover
            self.clientNoContextTakeover = clientNoContextTakeover
            self.serverMaxWindowBits = serverMaxWindowBits
            self.clientWindow = clientWindow
        }

        /// The offer as an element of `Sec-WebSocket-Extensions`.
        var element: ExtensionElement {
            var element = ExtensionElement(name: PerMessageDeflate.name)
            if serverNoContextTakeover { element.add(.serverNoContextTakeover) }
            if clientNoContextTakeover { element.add(.clientNoContextTakeover) }
            if let serverMaxWindowBits { element.add(.serverMaxWindowBits, serverMaxWindowBits) }
            switch clientWindow {
            case .fixed: break
            case .open: element.add(.clientMaxWindowBits)
            case .atMost(let bits): element.add(.clientMaxWindowBits, bits)
            }
            return element
        }

        /// The offers of a request that are valid: another is declined, and the next may be good
        /// (section 5.1).
        static func all(in request: Headers) throws(WebSocketHandshakeError) -> [Offer] {
            try ExtensionElement.all(in: request)
                .filter { $0.name == PerMessageDeflate.name }
                .compactMap { try? Offer($0) }
        }

        /// - Throws: What makes the offer one to be declined (section 7.1).
        init(_ element: ExtensionElement) throws(WebSocketHandshakeError) {
            let parameters = try DeflateParameters(element)
            serverNoContextTakeover = parameters.serverNoContextTakeover
            clientNoContextTakeover = parameters.clientNoContextTakeover
            serverMaxWindowBits = try parameters.bits(.serverMaxWindowBits)
            switch parameters.clientMaxWindowBits {
            case .absent: clientWindow = .fixed
            case .valueless: clientWindow = .open
            case .bits(let bits): clientWindow = .atMost(bits)
            }
        }
    }
}
