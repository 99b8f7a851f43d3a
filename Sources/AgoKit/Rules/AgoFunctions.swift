internal import RepriseSession

/// The client functions of a session, message by message.
struct AgoFunctions: Sendable {
    private var messages: [String: BracketVerifier] = [:]
    private var messageOfCall: [String: String] = [:]

    /// A stream of `message` ended.
    ///
    /// - Parameter isWhole: Whether all of it came: a call could else have been announced in what
    ///   did not.
    mutating func take(
        _ calls: AgoStreamCalls, of message: String?, isWhole: Bool,
        into output: inout DialectOutput
    ) {
        guard !calls.announced.isEmpty || calls.waiting != nil else { return }
        let message = message ?? ""
        var verifier = messages[message] ?? BracketVerifier(AgoProfile.functions)
        for call in calls.announced {
            _ = verifier.read("client_function", key: call)
            messageOfCall[call] = message
        }
        for call in calls.waiting?.ids ?? [] {
            let isUnknown = verifier.read("wait", key: call).contains { $0.problem == .unknown }
            messageOfCall[call] = message
            if isUnknown && isWhole, let place = calls.waiting?.place {
                output.raise(
                    AgoRules.a5b, at: place, expected: "a client_function chunk with that id",
                    seen: SeenText.quoted(call), subject: call)
            }
        }
        messages[message] = verifier
    }

    /// The service took a result.
    mutating func submitted(_ call: String) {
        guard let message = messageOfCall[call] else { return }
        _ = messages[message]?.read("submit", key: call)
    }

    /// The app continues `message`.
    mutating func proceed(
        _ message: String, at place: Place, into output: inout DialectOutput
    ) {
        for finding in messages[message]?.read("continue") ?? [] where finding.problem == .stillOpen
        {
            output.raise(
                AgoRules.a5c, at: place, expected: "a result for each call that is waited for",
                seen: "none for \(finding.key)", subject: finding.key)
        }
    }
}
