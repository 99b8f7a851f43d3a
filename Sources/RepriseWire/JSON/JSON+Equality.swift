extension String {
    /// Whether both are the same code units; `==` takes canonical equivalents for equal.
    func isWritten(as other: String) -> Bool {
        // What differs by canonical equivalence, which is found out sooner, is not written alike.
        self == other && utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Feeds the code units to `hasher`, as equality by them demands.
    func hashUnits(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        for unit in utf8 { hasher.combine(unit) }
    }
}

extension JSON {
    /// Whether both are written alike: numbers by their text, strings by their code units, members
    /// in their order.
    public static func == (first: JSON, second: JSON) -> Bool {
        switch (first, second) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.isWritten(as: other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }

    /// Feeds what ``==(_:_:)`` compares to `hasher`.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let text): hasher.combine(text)
        case .string(let text): text.hashUnits(into: &hasher)
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension JSONObject.Member {
    /// Whether both are written alike.
    public static func == (first: Self, second: Self) -> Bool {
        first.key.isWritten(as: second.key) && first.value == second.value
    }

    /// Feeds what ``==(_:_:)`` compares to `hasher`.
    public func hash(into hasher: inout Hasher) {
        key.hashUnits(into: &hasher)
        hasher.combine(value)
    }
}
