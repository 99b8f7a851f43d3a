internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// Tools as they ran when they were recorded: answered by operation and call id, in order. No tool
/// is run.
struct RecordedTools: ToolRunner {
    private struct Key: Hashable {
        var call: UInt64?
        var id: String
    }

    private let recorded: [Key: [Recording.Tool]]
    private let used = Locked<[Key: Int]>([:])
    private let clock: ReplayClock

    init(_ tools: [Recording.Tool], clock: ReplayClock) {
        recorded = Dictionary(grouping: tools) { Key(call: $0.started.call, id: $0.started.id) }
        self.clock = clock
    }

    /// What came of the tool when it was recorded, after the time that it took.
    ///
    /// - Throws: ``TransportError`` with code `replay.noSuchTool` for a run that was not recorded,
    ///   `replay.recorderDied` for one whose end was not; with how `cancelled` where the task was
    ///   cancelled.
    func run(_ run: ToolRun, _ body: ToolBody?) async throws(TransportError) -> ToolAnswer {
        guard let tool = next(Key(call: run.call, id: run.id)) else {
            throw TransportError(
                how: .failed, .noSuchTool,
                "the recording has no run of the tool \(Shown(run.name)) with that call id")
        }
        guard let finished = tool.finished, let outcome = finished.outcome else {
            throw TransportError(
                how: .failed, .recorderDied,
                "the recording ends inside the run of a tool: its recorder died")
        }
        let duration = (tool.endTime ?? tool.beginTime).saturatingSubtract(tool.beginTime)
        do { try await clock.sleep(for: duration) } catch { return ToolAnswer(.cancelled) }
        return ToolAnswer(outcome, output: finished.output)
    }

    private func next(_ key: Key) -> Recording.Tool? {
        used.withLock { used in
            let index = used[key, default: 0]
            guard let tools = recorded[key], index < tools.count else { return nil }
            used[key] = index + 1
            return tools[index]
        }
    }
}

/// What becomes of the app's tools while a recording is replayed.
public enum ReplayTools: Sendable {
    /// They are answered from the recording; none is run.
    case recorded
    /// They are run: those of that name here, else those that the app has registered.
    case live([String: ToolBody] = [:])

    func runner(_ recording: Recording, clock: ReplayClock) -> any ToolRunner {
        switch self {
        case .recorded: RecordedTools(recording.tools, clock: clock)
        case .live(let others): LiveToolsInReplay(tools: LiveTools(insteadOf: others), clock: clock)
        }
    }
}

/// Tools as they are, which take real time: the replay's stands still meanwhile.
private struct LiveToolsInReplay: ToolRunner {
    let tools: LiveTools
    let clock: ReplayClock

    func run(_ run: ToolRun, _ body: ToolBody?) async throws(TransportError) -> ToolAnswer {
        guard let time = clock.time else { return try await tools.run(run, body) }
        do {
            return try await time.outside { try await tools.run(run, body) }
        } catch {
            throw error as? TransportError
                ?? TransportError(how: .failed, .failed, "a tool could not be run")
        }
    }
}
