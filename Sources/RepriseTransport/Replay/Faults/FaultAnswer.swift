internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// A response that a fault makes up.
struct FaultAnswer {
    private let request: Request
    private let transport: RequestRecord.Transport
    private let time: Int64
    private let status: Int
    private let text: [UInt8]

    /// The answer of the first of `faults` that answers; nil where none does.
    init?(
        _ faults: [AimedFault], _ request: Request, _ transport: RequestRecord.Transport,
        at time: Int64
    ) {
        guard let (status, body) = faults.takeStatus() else { return nil }
        self.status = status
        text = Array(body.utf8)
        self.request = request
        self.transport = transport
        self.time = time
    }

    /// The response, which the observer is told.
    func response(_ observer: (any ExchangeObserver)?) -> Response {
        let kind = (try? JSON.parse(text)) == nil ? "text/plain; charset=utf-8" : "application/json"
        let head = ResponseRecord(
            status: status,
            headers: ["Content-Type": kind, "Content-Length": "\(text.count)"])
        var told: [FrameContent] = [.request(AsSent.head(request, transport))]
        if !request.body.isEmpty { told.append(.requestBody(request.body)) }
        told += [.requestEnd, .response(head)]
        if !text.isEmpty { told.append(.responseBody(text)) }
        told.append(.end(EndRecord(how: .complete, framing: .length, proven: true)))
        for content in told { observer?.observe(content, at: time) }
        observer?.commit()
        return Response(head: head, body: ResponseBody(Whole(text, time)))
    }

    /// A body that is there at once.
    private final class Whole: ResponseBody.Source {
        private let rest: Locked<Delivery?>

        init(_ bytes: [UInt8], _ time: Int64) {
            rest = Locked(bytes.isEmpty ? nil : Delivery(bytes: bytes, time: time))
        }

        func next() async throws(TransportError) -> Delivery? {
            rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }

        func cancel() {}
    }
}
