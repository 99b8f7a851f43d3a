import RepriseSession
import RepriseWire

/// A made-up protocol that reports usage and sends tool arguments in pieces: each event is a JSON
/// object with a `type`.
struct PlainDialect: Dialect {
    var name: String { "plain" }
    var rules: [Rule] { [] }
    var reportsUsage: Bool { true }
    var turnOperations: Set<String> { ["ask"] }

    func claims(_ exchange: ExchangeHead) -> Bool { exchange.path == "/plain" }

    func claims(firstEvent data: String, of exchange: ExchangeHead) -> Bool {
        data.contains(#""plain""#)
    }

    func makeReader() -> any DialectReader { Reader() }

    private struct Reader: DialectReader {
        mutating func read(_ unit: ExchangeUnit, into output: inout DialectOutput) {
            switch unit.content {
            case .request: output.emit(.opensTurn, at: unit.place)
            case .event(let event):
                guard let value = try? output.parse(event.bytes, at: unit.place) else { return }
                read(value, at: unit.place, into: &output)
            default: break
            }
        }

        private func read(_ value: JSON, at place: Place, into output: inout DialectOutput) {
            let id = value["id"]?.string ?? ""
            switch value["type"]?.string {
            case "plain": break
            case "text": output.emit(.text(value["text"]?.string ?? "-"), at: place)
            case "thought": output.emit(.reasoning("hm"), at: place)
            case "call":
                output.emit(.toolCall(ToolCall(id: id, name: "look", side: .server)), at: place)
            case "piece":
                output.emit(.toolArguments(id: id, value["text"]?.string ?? "-"), at: place)
            case "ready": output.emit(.toolReady(id: id, arguments: nil), at: place)
            case "result":
                let result = ToolResult(
                    id: id, isFailure: ToolResult.isFailure(value), isSubmission: false)
                output.emit(.toolResult(result), at: place)
            case "usage":
                let usage = Usage(
                    input: value["input"]?.integer, output: value["output"]?.integer,
                    total: value["total"]?.integer)
                output.emit(.usage(usage), at: place)
            case "end": output.emit(.ended(.finished), at: place)
            default:
                output.raise(
                    .jsonJ3, at: place, expected: "a known type",
                    seen: value["type"]?.string ?? "none")
            }
        }
    }
}

extension Recording {
    /// One answer in the made-up protocol.
    static func plain(_ chunks: String..., usage: String? = nil) -> Recording {
        var recording = Recording(client: nil)
        recording.request(1, at: 0, headers: [:], base: "https://other.example.com")
        recording.response(1, at: 90)
        let usage = usage ?? #"{"type":"usage","input":3,"output":5,"total":8}"#
        let all = [#"{"type":"plain"}"#] + chunks + [usage, #"{"type":"end"}"#]
        for (index, json) in all.enumerated() {
            recording.body(1, at: 100 + Double(index) * 10, chunk(json))
        }
        recording.end(1, at: 500)
        return recording
    }
}
