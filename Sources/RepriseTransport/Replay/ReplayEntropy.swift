internal import RepriseSupport
public import RepriseTape

/// Random values as the recorded client drew them: answered by operation, purpose and ordinal.
public struct ReplayEntropy: EntropySource {
    private struct Key: Hashable {
        var call: UInt64
        var purpose: String
    }

    private struct State {
        var drawn: [Key: Int] = [:]
        var missing: [EntropyRecord] = []
    }

    private let recorded: [Key: [Int: String]]
    private let state = Locked(State())

    /// A source that answers from `records`; of two with the same key the later one holds.
    public init(_ records: [EntropyRecord]) {
        var recorded: [Key: [Int: String]] = [:]
        for record in records {
            let key = Key(call: record.call, purpose: record.purpose)
            recorded[key, default: [:]][record.ordinal] = record.value
        }
        self.recorded = recorded
    }

    /// The draws that the recording does not have, in order, with the values given instead.
    public var missing: [EntropyRecord] { state.withLock { $0.missing } }

    /// The recorded value; where there is none, 32 hexadecimal digits that depend on nothing but
    /// operation, purpose and ordinal, so that a wrong replay goes wrong the same way each time.
    public func draw(_ purpose: String, call: UInt64, _ make: @Sendable () -> String) -> String {
        let key = Key(call: call, purpose: purpose)
        return state.withLock { state in
            let ordinal = state.drawn[key, default: 0]
            state.drawn[key] = ordinal + 1
            if let value = recorded[key]?[ordinal] { return value }
            let value = ReplayEntropy.standIn("\(call) \(ordinal) \(purpose)")
            state.missing.append(
                EntropyRecord(call: call, purpose: purpose, ordinal: ordinal, value: value))
            return value
        }
    }

    private static func standIn(_ seed: String) -> String {
        ([0, 1] as [UInt8]).map { lane -> String in
            let digits = String(fnv1a(seed.utf8, lane: lane), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// FNV-1a, 64 bits (draft-eastlake-fnv): enough to tell draws apart.
    private static func fnv1a(_ bytes: some Sequence<UInt8>, lane: UInt8) -> UInt64 {
        ([lane] + Array(bytes)).reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
    }
}
