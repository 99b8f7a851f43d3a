internal import RepriseSupport
public import RepriseTape
public import RepriseWire

/// The journal of a client that nobody records: it numbers operations and keeps nothing.
public struct CountingJournal: Journal {
    private let count = Locked<UInt64>(0)
    private let clients = Locked<UInt64>(0)

    /// A journal whose first operation has number 1.
    public init() {}

    /// The number of the client.
    public func addClient(_ record: ClientRecord) -> UInt64 { CountingJournal.next(clients) }

    /// The number of the operation.
    public func beginCall(_ op: String, args: JSON, client: UInt64?) -> UInt64 {
        CountingJournal.next(count)
    }

    private static func next(_ count: Locked<UInt64>) -> UInt64 {
        count.withLock { count in
            count += 1
            return count
        }
    }

    /// Forgets `content`.
    public func record(_ content: FrameContent) {}

    /// Forgets `secret`: where nothing is written, nothing is to be masked.
    public func declareSecret(_ secret: String) {}
}

extension SessionContext {
    /// A context of real time and real random values, with a journal that only counts.
    public static var live: SessionContext {
        SessionContext(clock: LiveClock(), entropy: LiveEntropy(), journal: CountingJournal())
    }
}
