internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

/// What goes out for a request, and when.
struct ServedResponse: Sendable {
    /// A head and when it is due.
    struct Head: Sendable {
        var status: Int
        /// The reason phrase; nil for the usual one.
        var reason: String?
        var headers: Headers
        var isHTTP10 = false
        /// Nanoseconds after the request came.
        var offset: Int64
    }

    /// A part of the body, which is one chunk of a chunked one, and when it is due.
    struct Piece: Sendable {
        var bytes: [UInt8]
        var offset: Int64
    }

    /// What delimits the body (RFC 9112 section 6.3).
    enum Framing: Sendable, Equatable {
        case length(Int)
        case chunked
        case close
    }

    /// What comes behind the last piece.
    enum Ending: Sendable, Equatable {
        /// What the framing has for an end.
        case complete
        /// The connection is closed before (a FIN).
        case cut
        /// The connection is reset (a RST).
        case reset
        /// Something that is no chunk, where the body is chunked.
        case malformed
        /// Nothing for that many nanoseconds, then a cut.
        case hold(Int64)
    }

    /// Heads of informational responses.
    var interim: [Head] = []
    /// The head of the final response; nil where none came.
    var head: Head?
    var framing = Framing.chunked
    var pieces: [Piece] = []
    var trailers = Headers()
    var ending = Ending.complete
    /// When the ending is due.
    var endOffset: Int64 = 0

    /// How many bytes the body has.
    var byteCount: Int { pieces.reduce(0) { $0 + $1.bytes.count } }
}

extension ServedResponse {
    /// What was recorded of an exchange.
    init(_ exchange: Recording.Exchange, pace: Pace) {
        let events = exchange.codedEvents
        func offset(_ time: Int64) -> Int64 { pace.offset(of: time, from: exchange.time) }
        var isDecoded = false
        for event in events {
            switch event.content {
            case .response(let record):
                let head = Head(record, offset: offset(event.time))
                // A switch of protocols is final.
                if record.status < 200 && record.status != 101 {
                    interim.append(head)
                } else {
                    self.head = head
                }
            case .responseBody(let bytes):
                pieces.append(Piece(bytes: bytes, offset: offset(event.time)))
            case .decodedBody(let bytes):
                isDecoded = true
                pieces.append(Piece(bytes: bytes, offset: offset(event.time)))
            case .end(let record):
                trailers = record.trailers ?? Headers()
                endOffset = offset(event.time)
            default: break
            }
        }
        // An empty chunk would end the body.
        pieces.removeAll { $0.bytes.isEmpty }
        let lastTime = events.last { $0.content.kind != .end }?.time ?? exchange.time
        if exchange.end == nil { endOffset = offset(lastTime) }
        ending = Ending(exchange, lastTime: lastTime)
        if isDecoded { head?.headers.remove("Content-Encoding") }
        let isRecoded = exchange.events.contains { $0.content.kind == .decodedBody }
        setFraming(exchange, isRecoded: isRecoded)
    }

    private mutating func setFraming(_ exchange: Recording.Exchange, isRecoded: Bool) {
        guard let headers = head?.headers else { return }
        let isBodiless =
            exchange.request.method == "HEAD" || head?.status == 204 || head?.status == 304
        let isChunked = headers.all("Transfer-Encoding")
            .contains { $0.lowercased().hasSuffix("chunked") }
        if isChunked {
            framing = .chunked
        } else if let length = headers.first("Content-Length").flatMap({ Int($0) }), length >= 0 {
            let count = byteCount
            if isBodiless {
                framing = .length(length)
            } else if ending == .complete {
                framing = .length(count)
            } else {
                // A body that was coded again has another length than it had.
                framing = .length(max(length, isRecoded ? count + 1 : count))
            }
        } else if isBodiless {
            framing = .length(0)
        } else {
            framing = exchange.end?.framing == .close ? .close : .chunked
        }
    }
}

extension ServedResponse.Head {
    fileprivate init(_ record: ResponseRecord, offset: Int64) {
        self.init(
            status: record.status, reason: record.reason, headers: record.headers,
            isHTTP10: record.version == "1.0", offset: offset)
        // HTTP/2 has neither reasons nor fields about the connection.
        if !record.version.hasPrefix("1.") { reason = nil }
    }
}

extension ServedResponse.Ending {
    /// How much longer than recorded a stream stays open that the recording's client left, or
    /// whose end is not known: a minute.
    private static let grace: Int64 = 60_000_000_000

    /// How long a stream stays open whose end the server does not make.
    var patience: Int64 { if case .hold(let time) = self { time } else { Self.grace } }

    fileprivate init(_ exchange: Recording.Exchange, lastTime: Int64) {
        guard let end = exchange.end else {
            self = .hold(Self.grace)
            return
        }
        switch end.how {
        case .complete: self = .complete
        case .cancelled, .timedOut:
            self = .hold(end.time(in: exchange, after: lastTime).saturatingAdd(Self.grace))
        case .reset, .failed:
            if end.code == TransportError.Code.malformed.rawValue {
                self = .malformed
            } else {
                self = end.code == TransportError.Code.reset.rawValue ? .reset : .cut
            }
        }
    }
}

extension EndRecord {
    /// How long after `time` it came.
    fileprivate func time(in exchange: Recording.Exchange, after time: Int64) -> Int64 {
        let event = exchange.events.last { $0.content.kind == .end }
        return max(0, (event?.time ?? time).saturatingSubtract(time))
    }
}

extension Pace {
    /// When something is due that was recorded at `time`, in nanoseconds after what was recorded at
    /// `start`.
    func offset(of time: Int64, from start: Int64) -> Int64 {
        guard let speed else { return 0 }
        let recorded = max(0, time.saturatingSubtract(start))
        return speed == 1 ? recorded : Int64(min(Double(recorded) / speed, 9e18))
    }
}

extension Headers {
    /// Removes every field of that name, whatever its case.
    mutating func remove(_ name: String) {
        let wanted = name.lowercased()
        fields.removeAll { $0.name.description.lowercased() == wanted }
    }
}
