import RepriseSupport
package import RepriseTape
import RepriseTransport
package import RepriseWire

/// A journal that keeps what it is told.
package final class Notebook: Journal {
    private struct Pages {
        var count: UInt64 = 0
        var contents: [FrameContent] = []
        var secrets: [String] = []
    }

    private let pages = Locked(Pages())

    package init() {}

    package var contents: [FrameContent] { pages.withLock { $0.contents } }
    package var secrets: [String] { pages.withLock { $0.secrets } }

    package var clients: [ClientRecord] {
        contents.compactMap { if case .client(let record) = $0 { record } else { nil } }
    }

    /// Beginnings and ends of operations.
    package var calls: [CallRecord] {
        contents.compactMap { if case .call(let record) = $0 { record } else { nil } }
    }

    /// How the operations ended: `ok` or the code of the failure.
    package var outcomes: [String] {
        calls.filter { !$0.isBeginning }.map { $0.error?["code"]?.string ?? "ok" }
    }

    package func addClient(_ record: ClientRecord) -> UInt64 {
        self.record(.client(record))
        return UInt64(clients.count)
    }

    package func beginCall(_ op: String, args: JSON, client: UInt64?) -> UInt64 {
        pages.withLock { pages in
            pages.count += 1
            let record = CallRecord(call: pages.count, client: client, op: op, args: args)
            pages.contents.append(.call(record))
            return pages.count
        }
    }

    package func record(_ content: FrameContent) { pages.withLock { $0.contents.append(content) } }

    package func declareSecret(_ secret: String) { pages.withLock { $0.secrets.append(secret) } }
}

/// Random values that are kept beside being drawn.
package final class CountingEntropy: EntropySource {
    private let purposes = Locked<[String]>([])

    package init() {}

    package var drawn: [String] { purposes.withLock { $0 } }

    package func draw(_ purpose: String, call: UInt64, _ make: @Sendable () -> String) -> String {
        purposes.withLock { $0.append(purpose) }
        return make()
    }
}
