import AgoKit
import RepriseAnalysis
import RepriseSession
import RepriseWire

/// A recording in the JSONL form, written by hand: times are milliseconds.
struct Recording: Sendable {
    private(set) var lines: [String] = []

    init(client: String? = "ago") {
        add(
            "session", 0, 0,
            [
                "version": 1, "session": "00000000000000a1", "recorder": "hand",
                "wall": "2026-01-02T03:04:05.000000000Z",
            ])
        if let client { add("client", 0, 0, ["client": .string(client), "config": [:]]) }
    }

    init(lines: [String]) { self.lines = lines }

    /// Number of the next frame.
    var next: Int { lines.count }

    mutating func add(_ kind: String, _ exchange: Int, _ time: Double, _ rest: JSONObject = [:]) {
        var object: JSONObject = [
            "kind": .string(kind), "x": .integer(exchange),
            "t": .integer(Int64((time * 1_000_000).rounded())),
        ]
        object.members += rest.members
        lines.append(JSON.object(object).serialized)
    }

    mutating func request(
        _ exchange: Int, at time: Double, _ method: String = "POST", _ path: String = "/messages",
        headers: [String: String] = ["Authorization": "Bearer ***", "X-User-Anon-Id": "****"],
        body: String = "", call: Int? = nil,
        base: String = "https://chat.example.com/api/sdk/v1"
    ) {
        var fields: JSONObject = [
            "transport": "http", "method": .string(method),
            "url": .string(base + path),
            "headers": Recording.json(headers),
        ]
        if let call { fields["call"] = .integer(call) }
        add("request", exchange, time, fields)
        if !body.isEmpty { add("requestBody", exchange, time, ["text": .string(body)]) }
        add("requestEnd", exchange, time)
    }

    mutating func response(
        _ exchange: Int, at time: Double, _ status: Int = 200,
        headers: [String: String] = ["Content-Type": "text/event-stream"]
    ) {
        add(
            "response", exchange, time,
            ["status": .integer(status), "version": "1.1", "headers": Recording.json(headers)])
    }

    mutating func body(_ exchange: Int, at time: Double, _ text: String) {
        add("responseBody", exchange, time, ["text": .string(text)])
    }

    mutating func end(_ exchange: Int, at time: Double, _ how: String = "complete") {
        add("end", exchange, time, ["how": .string(how)])
    }

    private static func json(_ headers: [String: String]) -> JSON {
        .array(
            headers.sorted { $0.key < $1.key }.map { [.string($0.key), .string($0.value)] })
    }

    var bytes: [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    func analyzed(
        _ options: AnalysisOptions = AnalysisOptions(), dialects: [any Dialect] = [AgoDialect()]
    ) throws -> SessionResult {
        try AnalyzedTape(
            name: "test.jsonl", bytes: bytes, dialects: dialects, options: options
        ).session
    }
}

extension Recording {
    /// One answer: each text is one read, 10 ms apart from 100 ms on.
    static func answer(
        _ reads: [String], how: String? = "complete", to body: String = #"{"content":"hi"}"#
    ) -> Recording {
        var recording = Recording()
        recording.request(1, at: 0, body: body)
        recording.response(1, at: 90)
        for (index, read) in reads.enumerated() {
            recording.body(1, at: 100 + Double(index) * 10, read)
        }
        if let how { recording.end(1, at: 100 + Double(reads.count) * 10, how) }
        return recording
    }

    /// One answer of which each read is one chunk.
    static func chunks(_ chunks: String..., how: String? = "complete") -> Recording {
        answer(chunks.map(chunk), how: how)
    }

    static func chunk(_ json: String) -> String { "data: \(json)\n\n" }

    static let begin = #"{"message_id":"m1","thread":{"id":"th1"},"status":"IN_PROGRESS"}"#
    static let text = #"{"content":"Hi"}"#
    static let done = #"{"status":"DONE"}"#

    /// A request with a JSON reply.
    static func reply(
        _ text: String, to path: String = "/conversations", headers: [String: String] = [:]
    ) -> Recording {
        var recording = Recording()
        recording.request(1, at: 0, "GET", path)
        recording.response(
            1, at: 50, headers: ["Content-Type": "application/json"].merging(headers) { $1 })
        recording.body(1, at: 60, text)
        recording.end(1, at: 70)
        return recording
    }
}
