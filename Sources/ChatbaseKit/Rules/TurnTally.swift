import RepriseSession

/// What one turn comes to over its streams.
struct TurnTally: Sendable {
    /// The conversation, as it was named last.
    var conversation: String?
    /// How many streams the service gave.
    private(set) var streams = 0
    /// Calls that wait for a result of the app.
    var pending: [String] = []
    private var credits: Int64 = 0
    /// What the SDK reports: the last finish alone.
    private var lastCredits: Int64 = 0
    private var finishes: [Place] = []

    init(conversation: String?) { self.conversation = conversation }

    /// The service gives another stream.
    mutating func begin(limit: Int, at place: Place, into output: inout DialectOutput) {
        streams += 1
        if streams == limit + 1 {
            output.raise(
                ChatbaseRules.b9b, at: place, expected: "at most \(limit) streams",
                seen: "another one")
        }
    }

    /// A stream named its conversation.
    mutating func name(_ id: String, at place: Place, into output: inout DialectOutput) {
        if let old = conversation, old != id {
            output.raise(
                ChatbaseRules.b9a, at: place, expected: SeenText.quoted(old),
                seen: SeenText.quoted(id))
        }
        conversation = id
    }

    /// A stream finished.
    mutating func finish(_ usage: RepriseSession.Usage, at place: Place) {
        credits = credits.addingReportingOverflow(usage.credits ?? 0).partialValue
        lastCredits = usage.clientCredits ?? 0
        finishes.append(place)
    }

    /// Nothing of it follows. Of a turn that waits for more, the SDK reports nothing.
    func end(into output: inout DialectOutput) {
        guard pending.isEmpty, finishes.count > 1, credits != lastCredits,
            let place = finishes.last
        else { return }
        output.raise(
            ChatbaseRules.b11c, at: place,
            expected: "the turn's \(Credits.text(credits)) credits",
            seen: "\(Credits.text(lastCredits)) in the last of \(finishes.count) streams")
    }
}
