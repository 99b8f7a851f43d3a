/// How a piece of the text report may look.
public enum TextStyle: Sendable, Hashable {
    /// A heading.
    case heading
    /// Of lesser importance.
    case faint
    /// All is well.
    case good
    /// An error.
    case bad
    /// A warning.
    case doubtful
    /// Worth knowing.
    case notable
}
