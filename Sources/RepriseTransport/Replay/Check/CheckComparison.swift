internal import RepriseTape
internal import RepriseWire

/// What a check has brought about against what was recorded.
struct CheckComparison {
    private let recording: Recording
    private let transport: ReplayTransport
    private let journal: CheckJournal
    private let started: [UInt64: CheckCall]
    private let unstarted: [UInt64: String]
    private let misses: [UInt64?: [ReplayMiss]]
    private let draws: [UInt64: [EntropyRecord]]
    private var clients: ArraySlice<(frame: UInt64, message: String)>
    private var found: [ReplayDifference] = []

    /// - Parameters:
    ///   - clients: What is wrong with clients, by the numbers of their frames.
    ///   - started: The operations that were run.
    ///   - unstarted: Why others were not.
    init(
        _ recording: Recording, transport: ReplayTransport, journal: CheckJournal,
        clients: [(frame: UInt64, message: String)], started: [CheckCall],
        unstarted: [UInt64: String]
    ) {
        self.recording = recording
        self.transport = transport
        self.journal = journal
        self.clients = clients[...]
        self.started = Dictionary(started.map { ($0.call.number, $0) }) { $1 }
        self.unstarted = unstarted
        misses = Dictionary(grouping: transport.misses, by: \.call)
        draws = Dictionary(grouping: transport.entropy.missing, by: \.call)
    }

    /// The differences: those of each operation in recorded order, then those of none.
    consuming func differences() -> [ReplayDifference] {
        for call in recording.calls {
            tellClients(before: call.beginFrame)
            if let why = unstarted[call.number] { add(.client, call, why) }
            if let run = started[call.number] { compare(call, run.failure) }
        }
        tellClients(before: .max)
        tellRest()
        return found
    }

    private mutating func tellRest() {
        let ran = Set(started.keys)
        for miss in transport.misses where !ran.contains(miss.call ?? 0) { tell(miss) }
        for draw in transport.entropy.missing where !ran.contains(draw.call) { tell(draw) }
        for extra in journal.unexpected(in: 0) {
            found.append(
                ReplayDifference(
                    .operation, "\(extra.op) ran beside all others, which was not recorded"))
        }
        let recorded = Set(recording.calls.map(\.number))
        for exchange in transport.unconsumed
        where !recorded.contains(exchange.request.call ?? 0) {
            tellUnconsumed(exchange)
        }
        tellTails()
    }

    /// Tells what operations had of WebSockets when they were recorded, and did not have now.
    private mutating func tellTails() {
        let isOpen = recording.calls.contains { $0.endFrame == nil }
        let last = isOpen ? nil : recording.calls.compactMap(\.endFrame).max()
        for tail in transport.unconsumedTails(before: last ?? .max) where tail.wasNeeded {
            found.append(
                ReplayDifference(
                    .unconsumed, call: tail.call, exchange: tail.exchange, tail.description))
        }
    }

    private mutating func tellClients(before frame: UInt64) {
        while let problem = clients.first, problem.frame < frame {
            clients.removeFirst()
            found.append(ReplayDifference(.client, problem.message))
        }
    }

    private mutating func compare(_ call: Recording.Call, _ failure: (any Error)?) {
        let missed = misses[call.number] ?? []
        for miss in missed where !(miss.isExhausted && call.isOpenEnded) { tell(miss) }
        for draw in draws[call.number] ?? [] { tell(draw) }
        for exchange in transport.unconsumed(of: call.number) { tellUnconsumed(exchange) }
        for extra in journal.unexpected(in: call.number) {
            add(.operation, call, "it ran \(extra.op) too, which was not recorded")
        }
        guard let run = journal.run(call.number) else {
            let reason = failure.map { ": " + CallFailure($0).message } ?? ""
            return add(.operation, call, "\(call.op) did not run\(reason)")
        }
        compareBeginning(of: call, run)
        if !missed.isEmpty { return }
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

    private mutating func tell(_ miss: ReplayMiss) {
        // What is due and differs is told difference by difference.
        let isChanged = miss.kind == .noSuchRequest && miss.due?.name == miss.nearest?.name
        let what = miss.differences.map { "\(miss.request): \($0)" }
        for message in isChanged && !what.isEmpty ? what : [miss.message] {
            found.append(
                ReplayDifference(.request, call: miss.call, exchange: miss.exchange, message))
        }
    }

    private mutating func tell(_ draw: EntropyRecord) {
        found.append(
            ReplayDifference(
                .entropy, call: draw.call == 0 ? nil : draw.call,
                "the random value \(Shown(draw.purpose)) number \(draw.ordinal) was not recorded"))
    }

    private mutating func tellUnconsumed(_ exchange: Recording.Exchange) {
        let path = URLForm(exchange.request.url.description).path
        found.append(
            ReplayDifference(
                .unconsumed, call: exchange.request.call, exchange: exchange.id,
                "\(exchange.request.method) \(Shown.cut(path)): recorded as exchange "
                    + "\(exchange.id), no request asked for it"))
    }

    private mutating func add(
        _ kind: ReplayDifference.Kind, _ call: Recording.Call, _ message: String
    ) {
        found.append(ReplayDifference(kind, call: call.number, message))
    }
}
