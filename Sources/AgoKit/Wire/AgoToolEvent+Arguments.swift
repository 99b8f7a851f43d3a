import RepriseWire

extension AgoToolEvent {
    /// Whether two arguments are the same whatever the order of their members; absent arguments
    /// are an empty object.
    static func areEqual(_ one: JSON?, _ other: JSON?) -> Bool {
        sorted(one ?? [:]) == sorted(other ?? [:])
    }

    private static func sorted(_ value: JSON) -> JSON {
        switch value {
        case .object(let object):
            .object(
                JSONObject(
                    object.members
                        .map { JSONObject.Member($0.key, sorted($0.value)) }
                        .sorted { $0.key < $1.key }))
        case .array(let elements): .array(elements.map(sorted))
        default: value
        }
    }
}
