/// What a reader found, complete once it has read to the end.
public struct TapeSummary: Sendable, Hashable {
    /// How many damages are kept in ``damages``.
    package static let damageLimit = 1_000

    /// Whether the tape has its end: the index and what locates it. True for a JSONL file that
    /// does not say otherwise.
    public var isSealed = false
    /// How many frames were handed out.
    public var frames: UInt64 = 0
    /// How many of them no checksum vouches for.
    public var unverifiedFrames: UInt64 = 0
    /// How many members with frames were read; 0 for a JSONL file.
    public var members: UInt64 = 0
    /// How many damages were handed out.
    public var damageCount: UInt64 = 0
    /// The first 1,000 damages.
    public var damages: [Damage] = []
    /// How many bytes of the file were read.
    public var endOffset: UInt64 = 0

    /// Nothing read yet.
    public init() {}
}
