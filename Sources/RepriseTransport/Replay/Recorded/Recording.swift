public import RepriseTape
public import RepriseWire

/// A tape loaded for replay: everything on it, by exchange and by operation.
///
/// Memory is proportional to the tape; bodies are not copied. Bytes that were masked
/// provisionally and revealed later are restored.
public struct Recording: Sendable {
    /// The session; nil on a tape without its first frame.
    public var session: SessionRecord?
    /// The clients in the order they were made.
    public var clients: [Client] = []
    /// The operations in the order they began.
    public var calls: [Call] = []
    /// The exchanges in the order their requests started.
    public var exchanges: [Exchange] = []
    /// The values that clients drew.
    public var entropy: [EntropyRecord] = []
    /// The runs of the app's tools in the order they began.
    public var tools: [Tool] = []
    /// All frames in the order of the tape.
    public var frames: [Frame] = []
    /// Which bytes are masked for good, by the number of their frame.
    public var masks: [UInt64: [MaskedRecord]] = [:]
    /// What is missing from the tape or wrong with it.
    public var damages: [Damage] = []
    /// What its frames lack to be a recording; such frames are not played.
    package var problems: [String] = []
    /// Whether the tape has its end; one that has not was cut, and what followed is unknown.
    public var isSealed = true

    package init() {}

    /// The frame with that number; nil where there is none. O(log n).
    public func frame(_ number: UInt64) -> Frame? {
        frames.place(ofNumber: number).map { frames[$0] }
    }
}

extension [Frame] {
    /// Where the frame with that number is; numbers ascend. O(log n).
    func place(ofNumber number: UInt64) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].number == number ? low : nil
    }
}

extension Recording {
    /// A client that was made.
    public struct Client: Sendable, Hashable {
        /// Its name and configuration.
        public var record: ClientRecord
        /// The number of its frame.
        public var frame: UInt64
    }

    /// An operation of a client.
    public struct Call: Sendable, Hashable {
        /// Its number in the session.
        public var number: UInt64
        /// The client whose operation it is, by its place among ``Recording/clients``, from 1; nil
        /// where the tape does not say.
        public var client: UInt64?
        /// The operation, e.g. `sendMessage`.
        public var op: String
        /// Its arguments.
        public var args: JSON
        /// How it ended; nil where the recorder died before.
        public var outcome: Outcome?
        /// The number of the frame of its beginning.
        public var beginFrame: UInt64
        /// When it began.
        public var beginTime: Int64
        /// The number of the frame of its end.
        public var endFrame: UInt64?
        /// When it ended.
        public var endTime: Int64?
    }

    /// A run of a tool of the app.
    public struct Tool: Sendable, Hashable {
        /// Its beginning.
        public var started: ToolRecord
        /// Its end; nil where the recorder died before.
        public var finished: ToolRecord?
        /// The number of the frame of its beginning.
        public var beginFrame: UInt64
        /// When it began.
        public var beginTime: Int64
        /// When it ended.
        public var endTime: Int64?
    }

    /// How an operation ended.
    public enum Outcome: Sendable, Hashable {
        /// It returned; null for nothing.
        case result(JSON)
        /// It failed: `{"code":…,"message":…}`.
        case error(JSON)
    }
}
