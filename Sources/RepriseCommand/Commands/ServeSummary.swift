internal import RepriseServer
internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

/// What was and what was not asked for, as a table.
struct ServeSummary {
    private let exchanges: [ServedExchange]
    private let missCount: Int

    init(_ exchanges: [ServedExchange], missCount: Int) {
        self.exchanges = exchanges
        self.missCount = missCount
    }

    /// A line for each exchange, and one for all.
    var text: String {
        let rows = exchanges.map(row)
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ") + "  " + row[3]
        }
        let served = exchanges.count { $0.state == .whole }
        let misses = missCount == 0 ? "" : ", \(Counted.text(missCount, "request")) not recorded"
        lines.append("\(served) of \(Counted.text(exchanges.count, "exchange")) served\(misses)")
        return lines.joined(separator: "\n")
    }

    private func row(_ served: ServedExchange) -> [String] {
        let request = served.exchange.request
        return [
            state(served), "\(served.exchange.id)", OutputStream.line(served.tape),
            OutputStream.line("\(request.method) \(Self.path(request.url.description))"),
        ]
    }

    private func state(_ served: ServedExchange) -> String {
        switch served.state {
        case .unasked: "not asked for"
        case .running: "running"
        case .whole: "served"
        // What a client cannot inflate goes out inflated.
        case .left where served.exchange.request.transport == .websocket: "left early"
        case .left(let bytes): "left at \(bytes) of \(served.byteCount) bytes"
        }
    }

    /// What stands behind the host.
    private static func path(_ url: String) -> Substring {
        guard let scheme = url.firstRange(of: "://") else { return url[...] }
        let rest = url[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
