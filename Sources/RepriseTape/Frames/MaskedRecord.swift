internal import RepriseWire

/// Which bytes of which frame are masked. Of two records about the same bytes the later one holds:
/// a secret that is cut over several frames gets its number when it is complete.
public struct MaskedRecord: Sendable, Hashable {
    /// The number of the masked frame.
    public var frame: UInt64
    /// First masked byte in its payload.
    public var offset: Int
    /// How many bytes.
    public var length: Int
    /// Which rule: `header:NAME`, `url:userinfo`, `query:NAME`, `json:PATH` or `known`, names in
    /// lower case.
    public var rule: String
    /// Which secret of the session, numbered in order of appearance from 1; nil while it is
    /// not known to be one.
    public var secret: Int?
    /// True where the bytes may only begin a secret: a `reveal` restores them if they do not.
    public var provisional: Bool?

    /// Creates the record.
    public init(
        frame: UInt64,
        offset: Int,
        length: Int,
        rule: String,
        secret: Int? = nil,
        provisional: Bool? = nil
    ) {
        self.frame = frame
        self.offset = offset
        self.length = length
        self.rule = rule
        self.secret = secret
        self.provisional = provisional
    }
}

extension MaskedRecord {
    init(_ fields: RecordFields) throws(TapeError) {
        frame = try fields.integer("frame")
        offset = try fields.integer("offset")
        length = try fields.integer("length")
        rule = try fields.string("rule")
        secret = try fields.optionalInteger("secret")
        provisional = try fields.optionalBool("provisional")
    }

    var json: JSONObject {
        var object = JSONObject()
        object["frame"] = .integer(frame)
        object["offset"] = .integer(offset)
        object["length"] = .integer(length)
        object["rule"] = .string(rule)
        object["secret"] = secret.map { .integer($0) }
        object["provisional"] = provisional.map { .bool($0) }
        return object
    }
}
