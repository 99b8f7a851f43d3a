internal import RepriseTape
internal import RepriseWire

/// A check under way.
struct CheckRun {
    private let recording: Recording
    private let replayers: [any ClientReplayer.Type]
    private let transport: ReplayTransport
    /// What the clients run over.
    private let client: any Transport
    private let journal: CheckJournal
    private var clients: [(any ClientReplayer)?] = []
    private var differences: [ReplayDifference] = []
    private var told: (misses: Int, draws: Int) = (0, 0)

    init(
        recording: Recording, replayers: [any ClientReplayer.Type], transport: ReplayTransport,
        client: any Transport, journal: CheckJournal
    ) {
        self.recording = recording
        self.replayers = replayers
        self.transport = transport
        self.client = client
        self.journal = journal
    }

    /// Runs one operation and compares it.
    mutating func run(_ call: Recording.Call) async {
        try? await transport.clock.wait(until: call.beginTime)
        buildClients(before: call.beginFrame)
        guard let latest = clients.last else {
            return add(.client, call, "no client was recorded before it")
        }
        // One that could not be built has been told already.
        guard let client = latest else { return }
        journal.expect(call.number)
        var failure: (any Error)?
        do { try await client.perform(op: call.op, args: call.args) } catch { failure = error }
        compare(call, failure)
    }

    /// All differences, once everything has run.
    consuming func finish() -> [ReplayDifference] {
        buildClients(before: .max)
        tellRequests(of: nil)
        tellDraws()
        let ran = Set(recording.calls.map(\.number))
        for exchange in transport.unconsumed where !ran.contains(exchange.request.call ?? 0) {
            tellUnconsumed(exchange)
        }
        return differences
    }

    private mutating func buildClients(before frame: UInt64) {
        while clients.count < recording.clients.count,
            recording.clients[clients.count].frame < frame
        {
            clients.append(build(recording.clients[clients.count].record))
        }
    }

    private mutating func build(_ record: ClientRecord) -> (any ClientReplayer)? {
        guard let type = replayers.first(where: { $0.client == record.client }) else {
            differences.append(
                ReplayDifference(.client, "nobody can run the client \(Shown(record.client))"))
            return nil
        }
        do {
            return try type.init(config: record.config, transport: client)
        } catch {
            let failure = CallFailure(error)
            differences.append(
                ReplayDifference(
                    .client,
                    "the client \(Shown(record.client)) could not be built: \(failure.message)"))
            return nil
        }
    }

    private mutating func compare(_ call: Recording.Call, _ failure: (any Error)?) {
        let hasMissed = tellRequests(of: call)
        tellDraws()
        for exchange in transport.unconsumed(of: call.number) { tellUnconsumed(exchange) }
        for extra in journal.unexpected {
            add(.operation, call, "it ran \(extra.op) too, which was not recorded")
        }
        guard let run = journal.run(call.number) else {
            let reason = failure.map { ": " + CallFailure($0).message } ?? ""
            return add(.operation, call, "\(call.op) did not run\(reason)")
        }
        compareBeginning(of: call, run)
        if hasMissed { return }
        compareTools(of: call, run)
        compareOutcome(of: call, run)
    }

    private mutating func compareBeginning(of call: Recording.Call, _ run: CheckJournal.Run) {
        if run.op != call.op {
            add(.operation, call, "recorded \(call.op), now \(run.op) ran")
        } else if let found = object(call.beginFrame)?.firstDifference(of: run.args, to: "args") {
            add(.operation, call, "in the arguments of \(call.op), \(found.message)")
        }
    }

    private mutating func compareTools(of call: Recording.Call, _ run: CheckJournal.Run) {
        var now = run.tools
        for tool in recording.tools where tool.started.call == call.number {
            let name = Shown(tool.started.name)
            guard let index = now.firstIndex(where: { $0.id == tool.started.id }) else {
                add(.tool, call, "the tool \(name) ran when recorded, now it did not")
                continue
            }
            let run = now.remove(at: index)
            if run.name != tool.started.name {
                add(.tool, call, "recorded the tool \(name), now \(Shown(run.name)) ran")
            } else if let found = object(tool.beginFrame)?
                .firstDifference(of: run.input ?? .null, to: "input")
            {
                add(.tool, call, "in the input of the tool \(name), \(found.message)")
            }
        }
        for extra in now where !call.isOpenEnded {
            add(.tool, call, "the tool \(Shown(extra.name)) ran, which was not recorded")
        }
    }

    private mutating func compareOutcome(of call: Recording.Call, _ run: CheckJournal.Run) {
        guard let recorded = call.outcome, let frame = call.endFrame else { return }
        switch (recorded, run.outcome) {
        case (.result, .result(let now)):
            guard let found = object(frame)?.firstDifference(of: now, to: "result") else { return }
            add(.outcome, call, "in the result of \(call.op), \(found.message)")
        case (.error(let old), .error(let now)):
            if old["code"] == now["code"] { return }
            add(
                .outcome, call,
                "\(call.op) failed otherwise: recorded \(code(old)), now \(code(now))")
        case (.result, .error(let now)):
            add(.outcome, call, "recorded a result of \(call.op), now it failed: \(code(now))")
        case (.error(let old), .result):
            add(.outcome, call, "\(call.op) failed with \(code(old)) when recorded, now it did not")
        case (_, nil):
            add(.outcome, call, "\(call.op) did not tell how it ended")
        }
    }

    private func code(_ error: JSON) -> String { error["code"]?.string ?? "an error without code" }

    private func object(_ frame: UInt64) -> MaskedJSON? {
        recording.frame(frame).flatMap { found in
            let text = MaskedText(found.payload, masks: recording.masks[frame] ?? [])
            return MaskedJSON(text.bytes, masked: text.masks)
        }
    }

    /// Tells the requests that missed since the last time; whether there were any.
    @discardableResult
    private mutating func tellRequests(of call: Recording.Call?) -> Bool {
        let misses = transport.misses.dropFirst(told.misses)
        told.misses += misses.count
        for miss in misses where !(miss.isExhausted && call?.isOpenEnded == true) {
            let what = miss.differences.map { "\(miss.request): \($0)" }
            for message in miss.isExhausted ? [miss.error.message] : what {
                differences.append(
                    ReplayDifference(.request, call: miss.call, exchange: miss.exchange, message))
            }
        }
        return !misses.isEmpty
    }

    private mutating func tellDraws() {
        let draws = transport.entropy.missing.dropFirst(told.draws)
        told.draws += draws.count
        for draw in draws {
            differences.append(
                ReplayDifference(
                    .entropy, call: draw.call == 0 ? nil : draw.call,
                    "the random value \(Shown(draw.purpose)) number \(draw.ordinal) was not recorded"
                ))
        }
    }

    private mutating func tellUnconsumed(_ exchange: Recording.Exchange) {
        let path = URLForm(exchange.request.url.description).path
        differences.append(
            ReplayDifference(
                .unconsumed, call: exchange.request.call, exchange: exchange.id,
                "\(exchange.request.method) \(Shown.cut(path)): recorded as exchange "
                    + "\(exchange.id), no request asked for it"))
    }

    private mutating func add(
        _ kind: ReplayDifference.Kind, _ call: Recording.Call, _ message: String
    ) {
        differences.append(ReplayDifference(kind, call: call.number, message))
    }
}

extension Recording.Call {
    /// Whether more could have followed: the recorder died or the app stopped before.
    fileprivate var isOpenEnded: Bool {
        switch outcome {
        case nil: true
        case .error(let error): CallFailure.isCancellation(code: error["code"]?.string ?? "")
        case .result: false
        }
    }
}
