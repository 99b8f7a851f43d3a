extension JSON {
    /// A member that has another type than declared.
    public struct Mismatch: Sendable, Hashable {
        /// Where it is, e.g. `knowledge_sources[0].knowledge_document.id`.
        public var path: String
        /// What is declared.
        public var expected: Expected
        /// What was there.
        public var found: Found

        /// A mismatch at a path.
        public init(path: String, expected: Expected, found: Found) {
            self.path = path
            self.expected = expected
            self.found = found
        }

        /// A type that a member is declared to have.
        public enum Expected: String, Sendable, Hashable {
            /// A JSON type.
            case string, bool, integer, number, array, object
        }

        /// The type that was there.
        public enum Found: String, Sendable, Hashable {
            /// A JSON type, or nothing at all.
            case null, bool, number, string, array, object, missing

            /// The type of `value`; nil stands for nothing at all.
            package init(_ value: JSON?) {
                self =
                    switch value {
                    case nil: .missing
                    case .null: .null
                    case .bool: .bool
                    case .number: .number
                    case .string: .string
                    case .array: .array
                    case .object: .object
                    }
            }
        }
    }
}
