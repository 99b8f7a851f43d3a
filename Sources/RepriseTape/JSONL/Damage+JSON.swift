internal import RepriseWire

extension Damage {
    /// `{"kind":"damage","what":…}`; a range is its first number and the one behind its last.
    var json: JSONObject {
        var object: JSONObject = [
            "kind": "damage", "what": .string(kind.rawValue), "message": .string(message),
        ]
        object["offset"] = offset.map { .integer($0) }
        object["length"] = length.map { .integer($0) }
        object["members"] = members.map(Damage.json)
        object["frames"] = frames.map(Damage.json)
        return object
    }

    private static func json(_ range: Range<UInt64>) -> JSON {
        [.integer(range.lowerBound), .integer(range.upperBound)]
    }

    /// Reads what ``json`` gives; unknown keys are left out.
    init(json object: JSONObject) throws(TapeError) {
        guard let name = object["what"]?.string, let kind = Kind(rawValue: name) else {
            throw TapeError(.badLine, "a damage needs what as a kind of damage")
        }
        guard let message = object["message"]?.string else {
            throw TapeError(.badLine, "a damage needs message as a string")
        }
        self.init(
            kind, message, offset: try Damage.number(object["offset"], "offset"),
            length: try Damage.number(object["length"], "length"),
            members: try Damage.range(object["members"], "members"),
            frames: try Damage.range(object["frames"], "frames"))
    }

    private static func number(_ json: JSON?, _ key: String) throws(TapeError) -> UInt64? {
        guard let json else { return nil }
        guard case .number(let text) = json, let value = UInt64(text),
            value <= TapeFormat.maximumFrameNumber
        else {
            throw TapeError(.badLine, "a damage needs \(key) as a whole number")
        }
        return value
    }

    private static func range(_ json: JSON?, _ key: String) throws(TapeError) -> Range<UInt64>? {
        guard let json else { return nil }
        guard let bounds = json.array, bounds.count == 2,
            let lower = try number(bounds[0], key), let upper = try number(bounds[1], key),
            lower <= upper
        else {
            throw TapeError(.badLine, "a damage needs \(key) as two rising numbers")
        }
        return lower..<upper
    }
}
