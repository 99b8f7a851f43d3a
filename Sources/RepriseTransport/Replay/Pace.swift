/// How fast a recording is replayed.
public enum Pace: Sendable, Hashable {
    /// Without waiting: time is what the recording says, moved on by whoever reads.
    case instant
    /// Without waiting, too, but whoever waits or sleeps is woken when it is time, one after the
    /// other in the same order each time; see ``VirtualTime``.
    case virtual
    /// As it was recorded.
    case original
    /// That many times as fast as it was recorded: 2 takes half of the time, 0.5 twice the time.
    /// A factor that is not a positive finite number counts as 1.
    case scaled(Double)

    /// A pace by its name on a command line: `instant`, `virtual`, `original` or a factor such as
    /// `2.5`; nil for anything else.
    public init?(_ text: String) {
        switch text {
        case "instant": self = .instant
        case "virtual": self = .virtual
        case "original": self = .original
        default:
            guard let factor = Double(text), factor.isFinite, factor > 0 else { return nil }
            self = .scaled(factor)
        }
    }

    /// Recorded nanoseconds per nanosecond that passes; nil where no real time is waited for.
    package var speed: Double? {
        switch self {
        case .instant, .virtual: nil
        case .original: 1
        case .scaled(let factor): factor.isFinite && factor > 0 ? factor : 1
        }
    }
}
