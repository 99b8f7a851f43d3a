/// A protocol's things that open, continue and close, as a table.
///
/// Event names are whatever the caller uses for them; an event that no row names only counts as
/// being inside or outside the rows that must enclose everything.
public struct BracketProfile: Sendable, Hashable {
    /// The kinds of brackets. An event closes before it opens, row by row.
    public var rows: [Row]
    /// Events that name a bracket without opening, continuing or closing it.
    public var references: [Reference]

    /// A table.
    public init(rows: [Row], references: [Reference] = []) {
        self.rows = rows
        self.references = references
    }
}

extension BracketProfile {
    /// One kind of bracket.
    public struct Row: Sendable, Hashable {
        /// Its name, e.g. `text`.
        public var kind: String
        /// Events that open one.
        public var open: Set<String>
        /// Events that go on with an open one.
        public var `continue`: Set<String>
        /// Events that close an open one.
        public var close: Set<String>
        /// Whether events name the one they mean; else there is at most one at a time.
        public var isKeyed: Bool
        /// Events that may not come while one is open.
        public var mustCloseBefore: Set<String>
        /// What may be left out or done twice.
        public var allowances: Allowances
        /// How often an open one may be continued; nil for any number.
        public var continuations: ClosedRange<Int>?

        /// One kind of bracket.
        public init(
            _ kind: String, open: Set<String>, continue: Set<String> = [], close: Set<String>,
            isKeyed: Bool = true, mustCloseBefore: Set<String> = [],
            allowances: Allowances = [.reopening], continuations: ClosedRange<Int>? = nil
        ) {
            self.kind = kind
            self.open = open
            self.continue = `continue`
            self.close = close
            self.isKeyed = isKeyed
            self.mustCloseBefore = mustCloseBefore
            self.allowances = allowances
            self.continuations = continuations
        }
    }

    /// What a kind of bracket allows, and what it demands of others.
    public struct Allowances: OptionSet, Sendable, Hashable {
        /// The bits.
        public var rawValue: UInt16
        /// A set by its bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// A closed one may be opened again.
        public static let reopening = Allowances(rawValue: 1)
        /// Opening an open one replaces it.
        public static let replacing = Allowances(rawValue: 2)
        /// The first event that continues one opens it too.
        public static let bareContinuing = Allowances(rawValue: 4)
        /// A closing event needs no open one.
        public static let bareClosing = Allowances(rawValue: 8)
        /// It need not be closed when the stream ends.
        public static let openEnd = Allowances(rawValue: 16)
        /// Everything else must be inside one.
        public static let enclosesAll = Allowances(rawValue: 32)
        /// Closing one forgets every other bracket, open or closed.
        public static let resets = Allowances(rawValue: 64)
        /// While one is open, only its own events may come.
        public static let exclusive = Allowances(rawValue: 128)
    }

    /// An event that names a bracket and needs it in a certain state.
    public struct Reference: Sendable, Hashable {
        /// The event.
        public var event: String
        /// The kind of bracket that it names.
        public var kind: String
        /// The state it needs.
        public var needs: Need

        /// A reference.
        public init(_ event: String, to kind: String, needs: Need) {
            self.event = event
            self.kind = kind
            self.needs = needs
        }

        /// A state of a bracket.
        public enum Need: Sendable, Hashable {
            /// It was opened, closed since or not.
            case known
            /// It is open.
            case open
            /// It was closed.
            case closed
        }
    }
}
