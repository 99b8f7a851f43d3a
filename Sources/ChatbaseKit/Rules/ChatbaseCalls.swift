import RepriseSession
internal import RepriseSupport
import RepriseWire

/// The tool calls of a session, over its streams and submissions.
struct ChatbaseCalls: Sendable {
    /// The most bytes of an output that the service takes.
    static let outputLimit = 20 * 1024

    private struct Call: Sendable {
        /// The result that the service has.
        var result: JSON?
        var isServerRun = false
        /// Whether an output was judged.
        var isJudged = false
    }

    private var calls: [String: Call] = [:]
    /// Whether something of the session is missing: a call may have been made there.
    private var isPartial = false

    /// A stream that is not whole.
    mutating func lose() { isPartial = true }

    /// The agent asks for a tool.
    mutating func make(_ id: String, at place: Place, into output: inout DialectOutput) {
        if calls[id] != nil {
            output.raise(
                ChatbaseRules.b5c, at: place, expected: "an id of its own",
                seen: SeenText.quoted(id), subject: id)
        }
        calls[id] = calls[id] ?? Call()
    }

    /// Whether the call waits for a result.
    func isPending(_ id: String) -> Bool { calls[id].map { $0.result == nil } ?? false }

    /// A stream brings an output.
    ///
    /// - Parameter isRepeated: Whether the same stream has brought one for that call.
    /// - Returns: Whether the call is known.
    mutating func resolve(
        _ id: String, _ value: JSON, isRepeated: Bool, at place: Place,
        into output: inout DialectOutput
    ) -> Bool {
        guard let call = calls[id] else {
            if !isPartial {
                output.raise(
                    ChatbaseRules.b5b, at: place, expected: "a call with that id",
                    seen: SeenText.quoted(id), subject: id)
            }
            return false
        }
        // The result of an app's tool may be told again in the stream that goes on with it.
        if isRepeated || call.result.map({ !$0.means(value) }) ?? false {
            raiseSecond(id, at: place, into: &output)
        }
        calls[id]?.isServerRun = call.isServerRun || call.result == nil
        calls[id]?.result = value
        judge(id, value, at: place, into: &output)
        return true
    }

    /// The app submits an output.
    ///
    /// - Parameter isKnown: Whether the conversation is one of this session.
    mutating func submit(
        _ id: String, _ value: JSON, isKnown: Bool, at place: Place,
        into output: inout DialectOutput
    ) {
        guard let call = calls[id] else {
            if isKnown && !isPartial {
                output.raise(
                    ChatbaseRules.b8b, at: place, expected: "a call with that id",
                    seen: SeenText.quoted(id), subject: id)
            }
            return
        }
        if let result = call.result {
            if call.isServerRun || result.means(value) {
                output.raise(
                    ChatbaseRules.p2, at: place, expected: "one result for \(id)",
                    seen: call.isServerRun ? "one for a tool that the server ran" : "it again",
                    subject: id)
            } else {
                raiseSecond(id, at: place, into: &output)
            }
        }
        judge(id, value, at: place, into: &output)
    }

    /// The service took an output.
    ///
    /// - Returns: Whether it is the call's first.
    mutating func accept(_ id: String, _ value: JSON) -> Bool {
        guard let call = calls[id], call.result == nil else { return false }
        calls[id]?.result = value
        return true
    }

    private func raiseSecond(_ id: String, at place: Place, into output: inout DialectOutput) {
        output.raise(
            ChatbaseRules.b8c, at: place, expected: "one result for \(id)", seen: "another one",
            subject: id)
    }

    /// Once for a call, however often its result is sent.
    private mutating func judge(
        _ id: String, _ value: JSON, at place: Place, into output: inout DialectOutput
    ) {
        guard let call = calls[id], !call.isJudged else { return }
        calls[id]?.isJudged = true
        if ToolResult.isFailure(value) {
            output.raise(
                ChatbaseRules.b10a, at: place, expected: "an output without error",
                seen: value["error"]?.string.map(SeenText.quoted) ?? "an error")
        }
        let size = value.serializedBytes.count
        if size > ChatbaseCalls.outputLimit {
            output.raise(
                ChatbaseRules.b10b, at: place, expected: "at most 20480 bytes",
                seen: Counted.text(size, "byte"))
        }
    }
}
