internal import RepriseSupport

/// Something that a reader noticed to be wrong with a tape.
public struct Damage: Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: String, Sendable, CaseIterable {
        /// The tape has no end: its recorder died, or the file was cut. What followed is unknown.
        case unsealed
        /// A member that cannot be read or whose checksum fails.
        case member
        /// Members or frame numbers that are not there.
        case missing
        /// A member that was there before, or is not in its place.
        case repeated
        /// A member of another tape.
        case foreign
        /// Bytes that are no member.
        case garbage
        /// An index or locator that cannot be read, or says something else than the members do.
        case index
        /// What an earlier repair could not save.
        case lost
    }

    /// What is wrong.
    public var kind: Kind
    /// What happened, without any recorded content.
    public var message: String
    /// Byte offset in the file where it begins, where known.
    public var offset: UInt64?
    /// How many bytes of the file it takes, where known.
    public var length: UInt64?
    /// Numbers of the members that are lost; nil where none is or nobody knows.
    public var members: Range<UInt64>?
    /// Numbers of the frames that are lost: empty where none is, nil where nobody knows.
    public var frames: Range<UInt64>?

    /// A damage.
    public init(
        _ kind: Kind, _ message: String, offset: UInt64? = nil, length: UInt64? = nil,
        members: Range<UInt64>? = nil, frames: Range<UInt64>? = nil
    ) {
        self.kind = kind
        self.message = message
        self.offset = offset
        self.length = length
        self.members = members
        self.frames = frames
    }

    /// The rule that it breaks: `tape.R2` where only the end is unknown, else `tape.R3`.
    public var rule: String {
        switch kind {
        case .unsealed: "tape.R2"
        case .lost where frames == nil: "tape.R2"
        default: "tape.R3"
        }
    }

    /// The message with where in the file it is and what is lost.
    public var description: String {
        var text = message
        if let offset { text += ", at byte \(offset)" }
        if let length { text += " (\(Counted.text(length, "byte")))" }
        if let frames, !frames.isEmpty {
            text +=
                frames.upperBound - frames.lowerBound == 1
                ? "; lost: frame \(frames.lowerBound)"
                : "; lost: frames \(frames.lowerBound) to \(frames.upperBound - 1)"
        }
        return text
    }
}
