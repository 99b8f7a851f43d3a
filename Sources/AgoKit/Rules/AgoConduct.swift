internal import RepriseSession
internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// How the client of a session behaves over its requests: rules P1, P2 and P3.
///
/// Judged when the session is over, in the order in which the requests began. Credentials are
/// compared and never shown: by the numbers of the tape's masks, else by what was sent.
struct AgoConduct: Sendable {
    private var traces: [Trace] = []
    private var statuses: [UInt64: Int] = [:]
    private var logouts = 0
    /// How many logouts there were before each request that is still open.
    private var logoutsBefore: [UInt64: Int] = [:]

    private struct Trace: Sendable {
        var place: Place
        var identity: String
        var anonymous: ExchangeHead.Credential?
        var token: ExchangeHead.Credential?
        var status: Int?
        var logouts: Int
    }

    mutating func loggedOut() { logouts += 1 }

    mutating func answered(_ exchange: UInt64, status: Int) { statuses[exchange] = status }

    mutating func began(_ exchange: UInt64) { logoutsBefore[exchange] = logouts }

    /// An exchange is over, so that all its masks are known.
    mutating func add(_ exchange: ExchangeHead, at place: Place) {
        traces.append(
            Trace(
                place: place, identity: AgoConduct.identity(exchange),
                anonymous: exchange.credential(header: "X-User-Anon-Id"),
                token: exchange.credential(header: "Authorization"),
                status: statuses.removeValue(forKey: exchange.number),
                logouts: logoutsBefore.removeValue(forKey: exchange.number) ?? logouts))
    }

    func finish(into output: inout DialectOutput) {
        let traces = traces.sorted { $0.place.exchange < $1.place.exchange }
        checkModes(traces, into: &output)
        checkWidget(traces, into: &output)
        checkRepeats(traces, into: &output)
    }

    /// What makes two requests the same: a multipart body has another boundary each time.
    private static func identity(_ exchange: ExchangeHead) -> String {
        let head = "\(exchange.request.method) \(exchange.request.url)"
        if exchange.request.headers.mediaType == "multipart/form-data" { return head }
        return "\(head) \(exchange.body.count) \(Checksum(of: exchange.body).value)"
    }
}

extension AgoConduct {
    /// Requests without any credential (a form, a configuration) are of no mode.
    private func checkModes(_ traces: [Trace], into output: inout DialectOutput) {
        let known = traces.filter { $0.token != nil || $0.anonymous != nil }
        guard let first = known.first,
            let other = known.first(where: { ($0.token == nil) != (first.token == nil) })
        else { return }
        let mode = { (trace: Trace) in trace.token == nil ? "the widget's id alone" : "a JWT" }
        output.raise(
            AgoRules.p1, at: other.place, expected: "\(mode(first)), as before",
            seen: mode(other))
    }

    private func checkWidget(_ traces: [Trace], into output: inout DialectOutput) {
        var last: (id: ExchangeHead.Credential, logouts: Int)?
        for trace in traces {
            guard let id = trace.anonymous else { continue }
            if let last, last.id != id, last.logouts == trace.logouts {
                output.raise(
                    AgoRules.p2, at: trace.place, expected: "the X-User-Anon-Id of before",
                    seen: "another one")
            }
            last = (id, trace.logouts)
        }
    }

    private func checkRepeats(_ traces: [Trace], into output: inout DialectOutput) {
        var refused: [String: Trace] = [:]
        for trace in traces {
            if let before = refused[trace.identity], before.token == trace.token,
                before.anonymous == trace.anonymous
            {
                output.raise(
                    AgoRules.p3, at: trace.place,
                    expected: before.status == 401 ? "a new token" : "an allowed origin",
                    seen: "the request that was answered with \(before.status ?? 0), unchanged")
            }
            let isRefused = trace.status == 401 || trace.status == 403
            refused[trace.identity] = isRefused ? trace : nil
        }
    }
}
