internal import RepriseTape
internal import RepriseWire

/// A matched request in the form in which it would have left: the client's own values (where the
/// recording has masks), in the recorded head's place and with what the protocol needed.
struct AsSent {
    /// The head.
    private(set) var head: RequestRecord
    /// What the recording has after the head, the request's body being the client's own.
    private(set) var events: [Recording.Event]

    init(_ request: Request, _ recorded: Recording.Exchange) {
        var head = AsSent.head(request, recorded.request.transport)
        head.headers = AsSent.fields(recorded.request.headers, request.headers)
        self.head = head
        events = AsSent.events(request.body, recorded)
    }

    /// A head as it crosses the seam.
    static func head(
        _ request: Request, _ transport: RequestRecord.Transport = .http
    ) -> RequestRecord {
        RequestRecord(
            call: request.call, transport: transport, method: request.method,
            url: WireText(request.url), headers: request.headers)
    }

    /// Leaves out what follows the last response's head, which is as given.
    mutating func cut(behind response: ResponseRecord) {
        guard let last = events.lastIndex(where: { $0.content.kind == .response }) else { return }
        events[last].content = .response(response)
        events.removeSubrange((last + 1)...)
    }

    /// Matched fields come in the same order; what the client did not set was the protocol's.
    private static func fields(_ recorded: Headers, _ own: Headers) -> Headers {
        var rest = own.fields[...]
        return Headers(
            recorded.fields.map { field in
                guard let next = rest.first, next.name == field.name else { return field }
                rest.removeFirst()
                return next
            })
    }

    private static func events(
        _ body: [UInt8], _ recorded: Recording.Exchange
    ) -> [Recording.Event] {
        var rest = body[...]
        var events = recorded.codedEvents
        let last = events.lastIndex { $0.content.kind == .requestBody }
        for index in events.indices {
            guard case .requestBody(let part) = events[index].content else { continue }
            // A masked body may be of another length than it was: the last write has the rest.
            let count = index == last ? rest.count : min(part.count, rest.count)
            events[index].content = .requestBody(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return events
    }
}
