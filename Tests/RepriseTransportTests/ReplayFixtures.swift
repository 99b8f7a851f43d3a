import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// A recording written by hand in JSONL form.
func recording(_ lines: String) throws -> Recording {
    try Recording(bytes: Array(lines.utf8))
}

/// One exchange of a recording written by hand: `GET https://a.example/x`.
func exchange(
    _ x: Int = 1, call: Int? = nil, at t: Int = 0, method: String = "GET", path: String = "/x",
    headers: String = "", body: String = "", status: Int? = 200, responseHeaders: String = "",
    events: String = "", end: String? = #""how":"complete""#
) -> String {
    let call = call.map { "\"call\":\($0)," } ?? ""
    var lines = [
        """
        {"kind":"request","x":\(x),"t":\(t),\(call)"transport":"http","method":"\(method)",\
        "url":"https://a.example\(path)","headers":[["Host","a.example"]\(headers)]}
        """
    ]
    if !body.isEmpty {
        let text = JSON.string(body).serialized
        lines.append(#"{"kind":"requestBody","x":\#(x),"t":\#(t + 1),"text":\#(text)}"#)
    }
    lines.append(#"{"kind":"requestEnd","x":\#(x),"t":\#(t + 2)}"#)
    if let status {
        lines.append(
            """
            {"kind":"response","x":\(x),"t":\(t + 10),"status":\(status),"version":"1.1",\
            "headers":[\(responseHeaders)]}
            """)
    }
    if !events.isEmpty { lines.append(events) }
    if let end { lines.append(#"{"kind":"end","x":\#(x),"t":\#(t + 90),\#(end)}"#) }
    return lines.joined(separator: "\n") + "\n"
}

/// One delivery of a hand-written exchange.
func delivery(_ text: String, _ x: Int = 1, at t: Int) -> String {
    #"{"kind":"responseBody","x":\#(x),"t":\#(t),"text":\#(JSON.string(text).serialized)}"#
}

func get(_ path: String = "/x", call: UInt64? = nil, _ headers: Headers = [:]) -> Request {
    Request(method: "GET", url: "https://a.example\(path)", headers: headers, call: call)
}

func post(
    _ body: String, path: String = "/x", call: UInt64? = nil, headers: Headers = [:]
) -> Request {
    Request(
        method: "POST", url: "https://a.example\(path)", headers: headers, body: Array(body.utf8),
        call: call)
}

/// The pieces of a body with a content coding applied, each flushed; as they are for none.
func coded(_ pieces: [[UInt8]], _ coding: String) -> [[UInt8]] {
    if coding.isEmpty { return pieces }
    let deflate = Deflate(coding == "gzip" ? .gzip : .zlib)
    return pieces.enumerated().map { index, piece in
        var bytes: [UInt8] = []
        deflate.push(piece, flush: index == pieces.count - 1 ? .finish : .sync, into: &bytes)
        return bytes
    }
}

/// Everything a body gave, and how it ended.
func read(_ body: ResponseBody) async -> (deliveries: [Delivery], error: TransportError?) {
    var deliveries: [Delivery] = []
    do throws(TransportError) {
        for try await delivery in body { deliveries.append(delivery) }
        return (deliveries, nil)
    } catch {
        return (deliveries, error)
    }
}

/// An observer that keeps what it is told.
final class KeptEvents: ExchangeObserver {
    struct Event: Hashable {
        var content: FrameContent
        var time: Int64
    }

    private let state = Locked<[Event]>([])

    var events: [Event] { state.withLock { $0 } }
    var kinds: [Frame.Kind] { events.map(\.content.kind) }

    func observe(_ content: FrameContent, at time: Int64) {
        state.withLock { $0.append(Event(content: content, time: time)) }
    }

    func commit() {}
}
