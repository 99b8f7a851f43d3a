/// A check under way: runs the recorded operations, each at the moment at which it began.
///
/// Operations that overlapped do so again; one that began when another had ended waits for that
/// end.
struct CheckRun {
    private let recording: Recording
    private let transport: ReplayTransport
    private let journal: CheckJournal
    private var clients: CheckClients
    private var started: [CheckCall] = []
    /// Why operations have no client, by their numbers.
    private var unstarted: [UInt64: String] = [:]

    /// - Parameter client: What the clients run over.
    init(
        recording: Recording, replayers: [any ClientReplayer.Type], transport: ReplayTransport,
        client: any Transport, journal: CheckJournal
    ) {
        self.recording = recording
        self.transport = transport
        self.journal = journal
        clients = CheckClients(recording.clients, replayers: replayers, transport: client)
    }

    /// Runs everything.
    ///
    /// - Returns: The differences.
    mutating func run() async throws(CancellationError) -> [ReplayDifference] {
        do throws(CancellationError) {
            try await runCalls()
        } catch {
            for call in started { call.cancel() }
            throw error
        }
        clients.build(before: .max)
        return CheckComparison(
            recording, transport: transport, journal: journal, clients: clients.problems,
            started: started, unstarted: unstarted
        ).differences()
    }

    private mutating func runCalls() async throws(CancellationError) {
        var open: [CheckCall] = []
        for call in recording.calls {
            for other in open where other.call.ended(before: call) { try await other.settle() }
            open.removeAll { $0.call.ended(before: call) }
            try await wait(until: call.beginTime, frame: call.beginFrame)
            if let begun = start(call) { open.append(begun) }
        }
        for call in open { try await call.settle() }
        // One that takes no time now ends before what it did not wait for.
        if let last = recording.calls.compactMap(\.endTime).max() {
            try await wait(until: last, frame: .max)
        }
    }

    private func wait(until time: Int64, frame: UInt64) async throws(CancellationError) {
        do {
            try await transport.clock.wait(until: time, frame: frame)
        } catch {
            throw CancellationError()
        }
    }

    private mutating func start(_ call: Recording.Call) -> CheckCall? {
        switch clients.choose(for: call) {
        case .client(let client):
            let begun = CheckCall(call, clock: transport.clock)
            started.append(begun)
            begun.start(client, in: transport.context)
            return begun
        case .unbuilt: break
        case .missing(let why): unstarted[call.number] = why
        }
        return nil
    }
}
