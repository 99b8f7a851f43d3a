import RepriseWire

/// A user of the service, or an agent.
public struct User: Sendable, Hashable {
    /// The user's id.
    public let uid: String
    /// The user's name; empty where the service does not say.
    public let name: String
    /// Where the user's picture is.
    public let avatar: String?
    /// Whether the user is `online` or `offline`.
    public let status: String?

    /// Creates a user.
    public init(uid: String, name: String = "", avatar: String? = nil, status: String? = nil) {
        self.uid = uid
        self.name = name
        self.avatar = avatar
        self.status = status
    }

    /// The user in one line.
    public func stringValue() -> String { json.serialized }

    init?(_ data: JSON) {
        guard let uid = data["uid"]?.string, !uid.isEmpty else { return nil }
        self.init(
            uid: uid, name: data["name"]?.string ?? "", avatar: data["avatar"]?.string,
            status: data["status"]?.string)
    }

    var json: JSON {
        var object: JSONObject = ["uid": .string(uid), "name": .string(name)]
        object["avatar"] = avatar.map { .string($0) }
        object["status"] = status.map { .string($0) }
        return .object(object)
    }
}
