import RepriseWire

extension AgoToolEvent {
    /// Whether both are about a client function of one name with the same arguments.
    func isSameFunction(as other: AgoToolEvent) -> Bool {
        type == .clientFunction && other.type == .clientFunction
            && functionName == other.functionName
            && AgoToolEvent.areEqual(arguments, other.arguments)
    }

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
