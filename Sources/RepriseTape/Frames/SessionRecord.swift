public import RepriseWire

/// The session: format, identity, the wall clock at its start, and how it was recorded.
public struct SessionRecord: Sendable, Hashable {
    /// Version of the tape format.
    public var version: Int
    /// Identity of the session: 16 hexadecimal digits.
    public var session: String
    /// Wall-clock time of the session's start: RFC 3339, UTC, with nanoseconds.
    public var wall: String
    /// Who recorded, e.g. `reprise/0.1.0`.
    public var recorder: String
    /// Labels from the app or the operator.
    public var labels: JSONObject
    /// The masking policy: what was masked by which rules.
    public var masking: JSON?

    /// Creates the record.
    public init(
        version: Int = 1,
        session: String,
        wall: String,
        recorder: String,
        labels: JSONObject = JSONObject(),
        masking: JSON? = nil
    ) {
        self.version = version
        self.session = session
        self.wall = wall
        self.recorder = recorder
        self.labels = labels
        self.masking = masking
    }
}

extension SessionRecord {
    init(_ fields: RecordFields) throws(TapeError) {
        version = try fields.integer("version")
        session = try fields.string("session")
        wall = try fields.string("wall")
        recorder = try fields.string("recorder")
        labels = try fields.optional("labels", "an object", \.object) ?? JSONObject()
        masking = fields.object["masking"]
    }

    var json: JSONObject {
        var object = JSONObject()
        object["version"] = .integer(version)
        object["session"] = .string(session)
        object["wall"] = .string(wall)
        object["recorder"] = .string(recorder)
        object["labels"] = labels.members.isEmpty ? nil : .object(labels)
        object["masking"] = masking
        return object
    }
}
