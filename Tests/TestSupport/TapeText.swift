package import RepriseWire

/// A recording in its JSONL form, written by hand.
package struct TapeText: Sendable {
    /// One line a frame.
    package private(set) var text = ""
    private var exchanges: Int

    /// A part of a recording.
    ///
    /// - Parameter exchanges: How many exchanges stand before it.
    package init(after exchanges: Int = 0) { self.exchanges = exchanges }

    /// The bytes of the file.
    package var bytes: [UInt8] { Array(text.utf8) }

    /// Adds a frame at a time in nanoseconds.
    package mutating func add(
        _ kind: String, exchange: Int = 0, at time: Int = 0, _ rest: JSONObject
    ) {
        var object: JSONObject = [
            "kind": .string(kind), "x": .integer(exchange), "t": .integer(time),
        ]
        object.members += rest.members
        text += JSON.object(object).serialized + "\n"
    }

    /// One exchange. The Nth one begins after N ms, its response comes 1 ns later, its body 1 ns
    /// later and its end 1 ns later.
    ///
    /// - Parameters:
    ///   - request: The head, and the body unless it is empty.
    ///   - status: The response's status; nil where none came.
    ///   - body: The pieces of the response's body.
    ///   - end: How it ended.
    package mutating func exchange(
        call: Int, _ request: (method: String, url: String, headers: JSON, body: String),
        status: Int? = 200, headers: JSON = [["Content-Type", "application/json"]],
        body: [String] = [], end: JSONObject = ["how": "complete"]
    ) {
        exchanges += 1
        let (number, start) = (exchanges, exchanges * 1_000_000)
        add(
            "request", exchange: number, at: start,
            [
                "call": .integer(call), "transport": "http", "method": .string(request.method),
                "url": .string(request.url), "headers": request.headers,
            ])
        if !request.body.isEmpty {
            add("requestBody", exchange: number, at: start, ["text": .string(request.body)])
        }
        add("requestEnd", exchange: number, at: start, [:])
        if let status {
            add(
                "response", exchange: number, at: start + 1,
                ["status": .integer(status), "version": "1.1", "headers": headers])
        }
        for piece in body {
            add("responseBody", exchange: number, at: start + 2, ["text": .string(piece)])
        }
        add("end", exchange: number, at: start + 3, end)
    }
}
