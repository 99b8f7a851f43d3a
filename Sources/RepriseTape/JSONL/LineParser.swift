internal import RepriseWire

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads one line of the JSONL form.
struct LineParser {
    private let object: RawObject
    private var kindName = ""

    /// The frame, still without its number, or the damage that `line` is, and whether the payload
    /// is a JSON object written as a line gives it back.
    static func item(
        _ line: [UInt8]
    ) throws(TapeError) -> (item: TapeReader.Item, isCanonical: Bool) {
        if let frame = PlainBodyLine.frame(line) { return (.frame(frame), false) }
        let parser = try LineParser(line)
        if parser.kindName == "damage" { return (.damage(try parser.damage()), false) }
        let (frame, isCanonical) = try parser.frame()
        return (.frame(frame), isCanonical)
    }

    private init(_ line: [UInt8]) throws(TapeError) {
        let object: RawObject?
        do throws(JSON.ParseError) {
            object = try RawObject(line)
        } catch {
            throw TapeError(.badLine, "the line is not JSON: \(error)")
        }
        guard let object else { throw TapeError(.badLine, "the line is not a JSON object") }
        self.object = object
        guard let name = try string("kind") else {
            throw TapeError(.badLine, "the line has no kind")
        }
        kindName = name
    }

    private func damage() throws(TapeError) -> Damage {
        guard let object = (try? JSON.parse(object.bytes))?.value.object else {
            throw TapeError(.badLine, "the line is not a JSON object")
        }
        return try Damage(json: object)
    }

    private func frame() throws(TapeError) -> (Frame, isCanonical: Bool) {
        let kind = try kind()
        let exchange: UInt64? = try integer("x", of: kind)
        guard let time: Int64 = try integer("t", of: kind) else {
            throw TapeError(.badFrame, "\(kind.withArticle) frame needs t, which is missing")
        }
        let isUnverified =
            try member("unverified") == nil
            ? nil
            : RecordFields(kind: kind, object: try values(["unverified"]))
                .optionalBool("unverified")
        var frame = Frame(
            exchange: exchange ?? 0, time: time, kind: kind, payload: [],
            isVerified: isUnverified != true)
        if try member(RecordKeys.raw) != nil {
            try refuseKeys(of: kind, except: [RecordKeys.raw])
            frame.payload = try base64(RecordKeys.raw) ?? []
        } else if kind.isBinary {
            frame.payload = try binaryPayload(kind)
        } else {
            frame.payload = object.canonical(kind) { !RecordKeys.isReserved($0) }
            _ = try frame.content()
            return (frame, true)
        }
        return (frame, false)
    }

    private func kind() throws(TapeError) -> Frame.Kind {
        let number = kindName.hasPrefix("#") ? UInt8(kindName.dropFirst()) : nil
        guard let kind = number.map(Frame.Kind.init(rawValue:)) ?? Frame.Kind(name: kindName) else {
            throw TapeError(
                .badLine, "the kind is unknown; a kind of a newer version is written as \"#NUMBER\""
            )
        }
        guard kind != .index else {
            throw TapeError(.badLine, "the index of a tape has no line: it is made anew")
        }
        return kind
    }

    private func binaryPayload(_ kind: Frame.Kind) throws(TapeError) -> [UInt8] {
        let keys = RecordKeys.order[kind] ?? ["text", "base64"]
        try refuseKeys(of: kind, except: keys)
        let plain = try text()
        let encoded = plain == nil ? try base64("base64") : nil
        guard let bytes = plain ?? encoded else {
            throw TapeError(.badLine, "\(kind.withArticle) frame needs text or base64")
        }
        let fields = RecordFields(
            kind: kind, object: try values(keys.filter { $0 != "text" && $0 != "base64" }[...]))
        switch kind {
        case .socketFrame: return try SocketFrameRecord(fields, bytes: bytes).payload
        case .reveal:
            let offset: UInt32 = try fields.integer("offset")
            return RevealRecord(
                frame: try fields.integer("frame"), offset: Int(offset), bytes: bytes
            ).payload
        default: return bytes
        }
    }
}

extension LineParser {
    /// The member of that key; there may be one.
    private func member(_ key: String) throws(TapeError) -> RawObject.Member? {
        guard let first = object.members.firstIndex(where: { $0.key == key }) else { return nil }
        guard !object.members[(first + 1)...].contains(where: { $0.key == key }) else {
            throw TapeError(.badLine, "the line has the key \(key) twice")
        }
        return object.members[first]
    }

    private func value(_ key: String) throws(TapeError) -> JSON.Document? {
        guard let member = try member(key) else { return nil }
        return try? object.document(of: member)
    }

    private func values(_ keys: ArraySlice<String>) throws(TapeError) -> JSONObject {
        var result = JSONObject()
        for key in keys { result[key] = try value(key)?.value }
        return result
    }

    /// A whole number; nil where there is none.
    private func integer<T: FixedWidthInteger>(
        _ key: String, of kind: Frame.Kind
    ) throws(TapeError) -> T? {
        guard let member = try member(key) else { return nil }
        if let value = T(digits: object.bytes[member.valueRange]) { return value }
        return try RecordFields(kind: kind, object: try values([key])).optionalInteger(key)
    }

    private func string(_ key: String) throws(TapeError) -> String? {
        guard let document = try value(key) else { return nil }
        guard let text = document.value.string else {
            throw TapeError(.badLine, "the line needs \(key) as a string")
        }
        return text
    }

    private func text() throws(TapeError) -> [UInt8]? {
        guard let document = try value("text") else { return nil }
        guard let text = document.value.string, document.remarks.isEmpty else {
            throw TapeError(
                .badLine,
                "the line needs text as a string without lone surrogates, or the bytes as base64")
        }
        guard try member("base64") == nil else {
            throw TapeError(.badLine, "the line has both text and base64")
        }
        return Array(text.utf8)
    }

    private func base64(_ key: String) throws(TapeError) -> [UInt8]? {
        guard let text = try string(key) else { return nil }
        guard let data = Data(base64Encoded: text) else {
            throw TapeError(.badLine, "the value of \(key) is not base64 text")
        }
        return Array(data)
    }

    /// Refuses keys that a frame has no place for, rather than losing them.
    private func refuseKeys(
        of kind: Frame.Kind, except keys: [String]
    ) throws(TapeError) {
        for member in object.members
        where !keys.contains(member.key) && !RecordKeys.head.contains(member.key) {
            throw TapeError(
                .badLine, "the line has a key that \(kind.withArticle) frame has no place for")
        }
    }
}

extension FixedWidthInteger {
    /// A number of digits alone, and not too many of them; nil for any other.
    fileprivate init?(digits: ArraySlice<UInt8>) {
        guard (1...18).contains(digits.count) else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + UInt64(digit - UInt8(ascii: "0"))
        }
        self.init(exactly: value)
    }
}

extension SocketFrameRecord {
    fileprivate init(_ fields: RecordFields, bytes: [UInt8]) throws(TapeError) {
        let isServer = try fields.required("from", "server or client") { json -> Bool? in
            switch json.string {
            case "server": true
            case "client": false
            default: nil
            }
        }
        let opcode = try fields.required("opcode", "a name or a number from 0 to 255") { json in
            if let name = json.string {
                return Self.opcodeNames.first { $0.name == name }?.opcode
            }
            return json.integer.flatMap { UInt8(exactly: $0) }
        }
        var flags: Flags = isServer ? .fromServer : []
        // A frame written by hand is nearly always a whole message.
        if try fields.optionalBool("fin") ?? true { flags.insert(.fin) }
        if try fields.optionalBool("rsv1") == true { flags.insert(.rsv1) }
        if try fields.optionalBool("rsv2") == true { flags.insert(.rsv2) }
        if try fields.optionalBool("rsv3") == true { flags.insert(.rsv3) }
        if try fields.optionalBool("inflated") == true { flags.insert(.inflated) }
        if try fields.optionalBool("corrupt") == true { flags.insert(.corrupt) }
        self.init(flags: flags, opcode: opcode, bytes: bytes)
    }
}
