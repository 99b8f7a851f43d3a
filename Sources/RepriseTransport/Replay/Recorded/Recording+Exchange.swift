public import RepriseTape

extension Recording {
    /// One request and what came back, in the order of the tape.
    public struct Exchange: Sendable {
        /// Its number on the tape.
        public var id: UInt64
        /// The head of the request, as it left.
        public var request: RequestRecord
        /// When the request started.
        public var time: Int64
        /// The number of the request's frame.
        public var frame: UInt64
        /// What followed the head of the request.
        public var events: [Event] = []
    }

    /// Something that happened in an exchange.
    public struct Event: Sendable {
        /// What.
        public var content: FrameContent
        /// When.
        public var time: Int64
        /// The number of its frame.
        public var frame: UInt64
    }
}

extension Recording.Exchange {
    /// The request's body.
    public var requestBody: [UInt8] {
        var bytes: [UInt8] = []
        for case .requestBody(let part) in events.lazy.map(\.content) { bytes += part }
        return bytes
    }

    /// Whether the whole request is known to have left.
    public var isRequestWhole: Bool { events.contains { $0.content == .requestEnd } }

    /// The head of the final response; nil where none came.
    public var response: ResponseRecord? {
        for case .response(let record) in events.lazy.map(\.content).reversed() { return record }
        return nil
    }

    /// Where the time before the response went, where known.
    public var phases: PhasesRecord? {
        for case .phases(let record) in events.lazy.map(\.content) { return record }
        return nil
    }

    /// The response's body as it arrived.
    public var deliveries: [Delivery] {
        events.compactMap { event in
            switch event.content {
            case .responseBody(let bytes): Delivery(bytes: bytes, time: event.time)
            case .decodedBody(let bytes):
                Delivery(bytes: bytes, time: event.time, isDecoded: true)
            default: nil
            }
        }
    }

    /// How it ended; nil where the recorder died before.
    public var end: EndRecord? {
        for case .end(let record) in events.lazy.map(\.content) { return record }
        return nil
    }
}

extension Recording {
    /// The request of an exchange with its masks.
    func maskedRequest(of exchange: Exchange) throws(TapeError) -> MaskedRequest {
        let head = Frame(.request(exchange.request), time: 0, number: exchange.frame)
        let body = exchange.events.filter { $0.content.kind == .requestBody }
        return try MaskedRequest(
            head: frame(exchange.frame) ?? head,
            body: body.map { Frame($0.content, time: 0, number: $0.frame) }, masks: masks)
    }
}
