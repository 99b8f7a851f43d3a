import RepriseSession

/// One socket, as far as it has come.
struct CometChatSocket: Sendable {
    /// What the client calls itself: it drops what it caused.
    var deviceId = ""
    /// The client's pings that are not answered.
    var pings: [Place] = []
    /// The runs that it carries, by their keys.
    var runs: [Int64: CometChatRun] = [:]
    /// Keys of runs that call themselves otherwise since.
    private var aliases: [Int64: Int64] = [:]

    /// The key of the run that an event belongs to, where it calls itself `key`.
    func resolved(_ key: Int64) -> Int64 { aliases[key] ?? key }

    /// The run that an event belongs to although it has another run's id.
    func renamed(_ event: AgentEvent, _ key: Int64) -> Int64? {
        guard event.kind != .runStarted, let id = event.id, runs[key] == nil else { return nil }
        return runs.values.first { $0.bodyId == id && !$0.isFinished }?.key
    }

    /// A run calls itself `key` from here on.
    mutating func rename(_ run: Int64, to key: Int64) { aliases[key] = run }
}
