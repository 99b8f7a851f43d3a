internal import RepriseWire

/// A request, or message, of now held against one recorded one: which of its values may be others,
/// and which ids it would show to stand for which.
final class MatchTrial {
    let matching: RequestMatching
    /// What the recorded client drew at random.
    private let drawn: Set<String>
    /// The ids as known before, and as this trial has them.
    private(set) var ids: IdentifierMap

    init(_ matching: RequestMatching, drawn: Set<String> = [], ids: IdentifierMap = IdentifierMap())
    {
        self.matching = matching
        self.drawn = matching.mapsDrawn ? drawn : []
        self.ids = ids
    }

    /// Whether JSON is compared by places, not by its bytes.
    var hasJSONPlaces: Bool {
        !drawn.isEmpty || !ids.isEmpty
            || (matching.volatile + matching.identifiers).contains { place in
                if case .json = place.kind { true } else { false }
            }
    }

    /// Whether multipart bodies are compared part by part.
    var hasParts: Bool {
        matching.values == .meant
            || (matching.volatile + matching.identifiers).contains { place in
                if case .part = place.kind { true } else { false }
            }
    }

    // MARK: Places

    func isVolatile(_ path: JSONPath) -> Bool {
        matching.volatile.contains { place in
            if case .json(let pattern) = place.kind { pattern.matches(path) } else { false }
        }
    }

    func isVolatile(_ place: RequestPlace.Kind) -> Bool {
        matching.volatile.contains { $0.kind == place }
    }

    /// Which segments of a URL's path may be any, and which are ids.
    func segments(of path: [String]) -> (volatile: Set<Int>, ids: Set<Int>) {
        (Self.segments(matching.volatile, path), Self.segments(matching.identifiers, path))
    }

    private static func segments(_ places: [RequestPlace], _ path: [String]) -> Set<Int> {
        var found: Set<Int> = []
        for case .path(let pattern) in places.lazy.map(\.kind)
        where pattern.count == path.count
            && zip(pattern, path).allSatisfy({ $0 == "*" || $0 == $1 })
        {
            found.formUnion(pattern.indices.filter { pattern[$0] == "*" })
        }
        return found
    }

    // MARK: Values

    /// Whether `now` can stand for the recorded value at `path`: both are ids, or equal by what
    /// they mean.
    func accepts(_ now: JSON, for recorded: JSON, at path: JSONPath) -> Bool {
        switch (recorded, now) {
        case (.string(let recorded), .string(let now)):
            return accepts(now, for: recorded, isPlace: isIdentifier(path))
        case (.number(let recorded), .number(let now)):
            if isIdentifier(path) { return ids.learn(now, for: recorded) }
            return matching.values == .meant && MatchTrial.isSameNumber(recorded, now)
        default: return false
        }
    }

    /// Whether `now` can stand for the recorded value at a place outside of JSON.
    func accepts(_ now: String, for recorded: String, at place: RequestPlace.Kind) -> Bool {
        accepts(now, for: recorded, isPlace: matching.identifiers.contains { $0.kind == place })
    }

    /// Whether `now` can stand for the recorded text.
    ///
    /// - Parameter isPlace: Whether an id is declared to stand there.
    func accepts(_ now: String, for recorded: String, isPlace: Bool) -> Bool {
        if isPlace { return ids.learn(now, for: recorded) }
        guard drawn.contains(recorded) else { return isTranslated(now, recorded) }
        // Who knows nothing of the recording may draw where the client drew once.
        _ = ids.learn(now, for: recorded)
        return true
    }

    /// Whether a text of now is the recorded one but for ids that are known.
    private func isTranslated(_ now: String, _ recorded: String) -> Bool {
        if ids.isEmpty { return false }
        if ids.recorded(for: now) == recorded { return true }
        return translated(Array(now.utf8)).elementsEqual(recorded.utf8)
    }

    /// The bytes with the recorded ids in the places of those of now.
    func translated(_ bytes: [UInt8]) -> [UInt8] { ids.toRecorded.applied(to: bytes) }

    private func isIdentifier(_ path: JSONPath) -> Bool {
        matching.identifiers.contains { place in
            if case .json(let pattern) = place.kind { pattern.matches(path) } else { false }
        }
    }

    /// Whether two numbers are one, as far as a double can tell.
    private static func isSameNumber(_ one: String, _ other: String) -> Bool {
        // A double has 15 digits for certain.
        guard one.count <= 15, other.count <= 15, let one = Double(one), let other = Double(other)
        else { return false }
        return one == other && one.isFinite
    }
}
