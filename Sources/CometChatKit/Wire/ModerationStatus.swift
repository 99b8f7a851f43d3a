/// What the service's moderation has made of a message.
public struct ModerationStatus: RawRepresentable, Sendable, Hashable {
    /// The text on the wire.
    public var rawValue: String

    /// The status that `rawValue` names, known or not, in any case.
    public init(rawValue: String) { self.rawValue = rawValue.lowercased() }

    /// It is being looked at.
    public static let pending = ModerationStatus(rawValue: "pending")
    /// Nothing is wrong with it.
    public static let approved = ModerationStatus(rawValue: "approved")
    /// It is held back.
    public static let disapproved = ModerationStatus(rawValue: "disapproved")
}
