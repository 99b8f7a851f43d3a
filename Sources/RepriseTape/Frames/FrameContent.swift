package import RepriseWire

/// What a frame records, typed.
public enum FrameContent: Sendable, Hashable {
    /// The session: always the first frame.
    case session(SessionRecord)
    /// An exchange opens.
    case request(RequestRecord)
    /// Bytes of a request's body.
    case requestBody([UInt8])
    /// The request is out.
    case requestEnd
    /// The head of the response.
    case response(ResponseRecord)
    /// Bytes of a response's body as received, still content-coded.
    case responseBody([UInt8])
    /// How the exchange ended.
    case end(EndRecord)
    /// One WebSocket frame.
    case socketFrame(SocketFrameRecord)
    /// Where the time before the response went.
    case phases(PhasesRecord)
    /// A client-side tool handler started or finished.
    case tool(ToolRecord)
    /// A value that the client drew at random.
    case entropy(EntropyRecord)
    /// A label from the app or the operator.
    case note(String)
    /// Which bytes of which frame are masked.
    case masked(MaskedRecord)
    /// A client operation began or ended.
    case call(CallRecord)
    /// The app held the stream for that many nanoseconds.
    case held(Int64)
    /// Restores bytes that were masked provisionally.
    case reveal(RevealRecord)
    /// Response bytes after content decoding.
    case decodedBody([UInt8])
    /// Which client, with its configuration.
    case client(ClientRecord)
    /// A kind that this version does not know.
    case unknown(Frame.Kind, [UInt8])
}

extension FrameContent {
    /// The kind on the tape.
    public var kind: Frame.Kind {
        switch self {
        case .session: .session
        case .request: .request
        case .requestBody: .requestBody
        case .requestEnd: .requestEnd
        case .response: .response
        case .responseBody: .responseBody
        case .end: .end
        case .socketFrame: .socketFrame
        case .phases: .phases
        case .tool: .tool
        case .entropy: .entropy
        case .note: .note
        case .masked: .masked
        case .call: .call
        case .held: .held
        case .reveal: .reveal
        case .decodedBody: .decodedBody
        case .client: .client
        case .unknown(let kind, _): kind
        }
    }

    /// The payload as stored.
    public var payload: [UInt8] {
        switch self {
        case .session(let record): json(record.json)
        case .request(let record): json(record.json)
        case .requestBody(let bytes), .responseBody(let bytes), .decodedBody(let bytes): bytes
        case .requestEnd: json([:])
        case .response(let record): json(record.json)
        case .end(let record): json(record.json)
        case .socketFrame(let record): record.payload
        case .phases(let record): json(record.json)
        case .tool(let record): json(record.json)
        case .entropy(let record): json(record.json)
        case .note(let text): json(["text": .string(text)])
        case .masked(let record): json(record.json)
        case .call(let record): json(record.json)
        case .held(let duration): json(["duration": .integer(duration)])
        case .reveal(let record): record.payload
        case .client(let record): json(record.json)
        case .unknown(_, let bytes): bytes
        }
    }

    private func json(_ object: JSONObject) -> [UInt8] {
        JSON.object(RecordKeys.sorted(object, for: kind)).serializedBytes
    }
}

extension Frame {
    /// A frame of `content`.
    public init(_ content: FrameContent, exchange: UInt64 = 0, time: Int64, number: UInt64 = 0) {
        self.init(
            number: number, exchange: exchange, time: time, kind: content.kind,
            payload: content.payload)
    }

    /// What the frame records, typed.
    ///
    /// - Throws: ``TapeError`` with code `badFrame` where the payload is not of the kind.
    public func content() throws(TapeError) -> FrameContent {
        do {
            return try decoded()
        } catch {
            var located = error
            located.frame = number
            throw located
        }
    }

    private func decoded() throws(TapeError) -> FrameContent {
        switch kind {
        case .requestBody: return .requestBody(payload)
        case .responseBody: return .responseBody(payload)
        case .decodedBody: return .decodedBody(payload)
        case .socketFrame: return .socketFrame(try SocketFrameRecord(payload: payload))
        case .reveal: return .reveal(try RevealRecord(payload: payload))
        case .requestEnd: return .requestEnd
        case _ where kind.isBinary: return .unknown(kind, payload)
        default: return try decodedObject()
        }
    }

    private func decodedObject() throws(TapeError) -> FrameContent {
        let fields = RecordFields(kind: kind, object: try object())
        switch kind {
        case .session: return .session(try SessionRecord(fields))
        case .request: return .request(try RequestRecord(fields))
        case .response: return .response(try ResponseRecord(fields))
        case .end: return .end(try EndRecord(fields))
        case .phases: return .phases(try PhasesRecord(fields))
        case .tool: return .tool(try ToolRecord(fields))
        case .entropy: return .entropy(try EntropyRecord(fields))
        case .note: return .note(try fields.string("text"))
        case .masked: return .masked(try MaskedRecord(fields))
        case .call: return .call(try CallRecord(fields))
        case .held: return .held(try fields.integer("duration"))
        case .client: return .client(try ClientRecord(fields))
        default: return .unknown(kind, payload)
        }
    }

    /// The JSON object of a kind that is not binary.
    package func object() throws(TapeError) -> JSONObject {
        let name = kind.withArticle
        do {
            guard let object = try JSON.parse(payload).value.object else {
                throw TapeError(.badFrame, "the payload of \(name) frame is not a JSON object")
            }
            return object
        } catch let error as TapeError {
            throw error
        } catch {
            throw TapeError(.badFrame, "the payload of \(name) frame is not JSON: \(error)")
        }
    }
}
