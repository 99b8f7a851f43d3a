import RepriseSupport
import RepriseTape
import RepriseTransport

/// An observer that keeps what it was told, and how much of it was committed.
final class Witness: ExchangeObserver {
    struct Entry: Sendable {
        var content: FrameContent
        var time: Int64
    }

    private struct State {
        var entries: [Entry] = []
        var committed = 0
        var bytes = 0
        var committedBytes = 0
        var commits = 0
    }

    private let state = Locked(State())

    func observe(_ content: FrameContent, at time: Int64) {
        state.withLock { state in
            state.entries.append(Entry(content: content, time: time))
            if case .responseBody(let bytes) = content { state.bytes += bytes.count }
        }
    }

    func commit() {
        state.withLock { state in
            state.committed = state.entries.count
            state.committedBytes = state.bytes
            state.commits += 1
        }
    }

    var entries: [Entry] { state.withLock(\.entries) }
    var committed: [Entry] { state.withLock { Array($0.entries.prefix($0.committed)) } }
    /// Bytes of the response's body that were told before the last commit.
    var committedBytes: Int { state.withLock(\.committedBytes) }
    var commits: Int { state.withLock(\.commits) }

    /// Waits until the end was told: a peer can see the connection close a moment earlier.
    func untilEnd() async throws {
        while end == nil { try await LiveClock().sleep(for: 1_000_000) }
    }

    /// The kinds in order, repeated ones once.
    var kinds: [String] {
        entries.map { $0.content.kind.name ?? "?" }.reduce(into: []) { kinds, kind in
            if kinds.last != kind { kinds.append(kind) }
        }
    }

    var request: RequestRecord? {
        entries.lazy.compactMap { entry in
            if case .request(let record) = entry.content { record } else { nil }
        }.first
    }

    var requestBody: [UInt8] {
        entries.flatMap { entry -> [UInt8] in
            if case .requestBody(let bytes) = entry.content { bytes } else { [] }
        }
    }

    var response: ResponseRecord? {
        entries.lazy.compactMap { entry in
            if case .response(let record) = entry.content { record } else { nil }
        }.first
    }

    var phases: PhasesRecord? {
        entries.lazy.compactMap { entry in
            if case .phases(let record) = entry.content { record } else { nil }
        }.first
    }

    /// The deliveries of the response's body, with their times.
    var deliveries: [Delivery] {
        entries.compactMap { entry in
            guard case .responseBody(let bytes) = entry.content else { return nil }
            return Delivery(bytes: bytes, time: entry.time)
        }
    }

    var end: EndRecord? {
        entries.lazy.compactMap { entry in
            if case .end(let record) = entry.content { record } else { nil }
        }.first
    }
}
