internal import RepriseWire

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TapeReader.Item {
    /// The line of the JSONL form, without its line end.
    ///
    /// Reading it gives the same item: a payload that a line of JSON cannot give back byte for byte
    /// stands as base64 under `raw`.
    public var jsonLine: [UInt8] { jsonLine(isCanonical: false) }

    /// - Parameter isCanonical: Whether a frame's payload is known to be written as the line gives it
    ///   back.
    func jsonLine(isCanonical: Bool) -> [UInt8] {
        switch self {
        case .frame(let frame): JSONLine(frame, isCanonical: isCanonical).bytes
        case .damage(let damage): JSON.object(damage.json).serializedBytes
        }
    }
}

/// Makes the JSONL form of a frame.
struct JSONLine {
    private(set) var bytes: [UInt8] = []

    init(_ frame: Frame, isCanonical: Bool = false) {
        bytes.reserveCapacity(frame.payload.count + 64)
        append("{\"kind\":\"")
        append(frame.kind.lineName)
        append("\",\"x\":")
        append(digitsOf: frame.exchange)
        append(frame.time < 0 ? ",\"t\":-" : ",\"t\":")
        append(digitsOf: frame.time.magnitude)
        if !frame.isVerified { append(",\"unverified\":true") }
        appendPayload(of: frame, isCanonical: isCanonical)
        append("}")
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(digitsOf number: UInt64) {
        let start = bytes.count
        var rest = number
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private mutating func appendPayload(of frame: Frame, isCanonical: Bool) {
        switch frame.kind {
        case .requestBody, .responseBody, .decodedBody: appendText(frame.payload)
        case .socketFrame:
            guard let record = try? SocketFrameRecord(payload: frame.payload),
                let head = record.lineHead
            else { return appendRaw(frame.payload) }
            appendMembers(head)
            appendText(record.bytes)
        case .reveal:
            guard let record = try? RevealRecord(payload: frame.payload),
                record.payload == frame.payload
            else { return appendRaw(frame.payload) }
            appendMembers(["frame": .integer(record.frame), "offset": .integer(record.offset)])
            appendText(record.bytes)
        case _ where frame.kind.isBinary: appendBase64(frame.payload, key: "base64")
        default:
            guard isCanonical || frame.hasCanonicalObject else { return appendRaw(frame.payload) }
            guard frame.payload.count > 2 else { return }
            bytes.append(UInt8(ascii: ","))
            bytes.append(contentsOf: frame.payload.dropFirst().dropLast())
        }
    }

    private mutating func appendMembers(_ object: JSONObject) {
        for member in object.members {
            append(",\"\(member.key)\":")
            member.value.append(to: &bytes)
        }
    }

    private mutating func appendText(_ payload: [UInt8]) {
        let before = bytes.count
        append(",\"text\":")
        if JSON.append(text: payload, to: &bytes) { return }
        bytes.removeLast(bytes.count - before)
        appendBase64(payload, key: "base64")
    }

    private mutating func appendRaw(_ payload: [UInt8]) {
        appendBase64(payload, key: RecordKeys.raw)
    }

    private mutating func appendBase64(_ payload: [UInt8], key: String) {
        append(",\"\(key)\":\"")
        bytes.append(contentsOf: Data(payload).base64EncodedData())
        append("\"")
    }
}

extension Frame.Kind {
    /// The name in the JSONL form; `#42` for a kind that this version does not know.
    package var lineName: String { name ?? "#\(rawValue)" }

    /// The name behind its article, e.g. `an end`.
    var withArticle: String {
        (lineName.first.map { "aeiou".contains($0) } == true ? "an " : "a ") + lineName
    }
}

extension Frame {
    /// Whether the payload is an object that its kind allows, written as a line would give it back.
    fileprivate var hasCanonicalObject: Bool {
        guard let object = try? RawObject(payload), object.canonical(kind) == payload,
            !object.members.contains(where: { RecordKeys.isReserved($0.key) })
        else { return false }
        return (try? content()) != nil
    }
}

extension RecordKeys {
    /// Whether `key` means something else than a frame's own member in the JSONL form.
    static func isReserved(_ key: String) -> Bool { head.contains(key) || key == raw }
}

extension SocketFrameRecord {
    static let opcodeNames: [(opcode: UInt8, name: String)] = [
        (0, "continuation"), (1, "text"), (2, "binary"), (8, "close"), (9, "ping"), (10, "pong"),
    ]

    /// The members before the payload; nil where there are bits that have no name.
    fileprivate var lineHead: JSONObject? {
        guard flags.rawValue < 128 else { return nil }
        var head: JSONObject = [
            "from": flags.contains(.fromServer) ? "server" : "client",
            "fin": .bool(flags.contains(.fin)),
        ]
        if flags.contains(.rsv1) { head["rsv1"] = true }
        if flags.contains(.rsv2) { head["rsv2"] = true }
        if flags.contains(.rsv3) { head["rsv3"] = true }
        if flags.contains(.inflated) { head["inflated"] = true }
        if flags.contains(.corrupt) { head["corrupt"] = true }
        let name = Self.opcodeNames.first { $0.opcode == opcode }?.name
        head["opcode"] = name.map { .string($0) } ?? .integer(opcode)
        return head
    }
}
