internal import RepriseTape
internal import RepriseWire

/// Masks a frame whose payload is a JSON object, value by value, and writes the payload anew.
struct FrameMasker {
    private let policy: MaskingPolicy
    private var payload: [UInt8] = []
    private var spans: [MaskSpan] = []

    /// What a value is to the policy.
    private enum Place {
        case plain
        /// What a replay gives to the client again, so that it comes back in bodies: only what is
        /// masked there as well may be masked.
        case replayed
        /// What a client was made with, or a label: names tell of secrets, and any text may be a
        /// URL.
        case setting
        /// All of it is a secret.
        case secret(rule: String)
        case url
        /// An array of `[name, value]`.
        case headers
        case headerValue(name: String)
    }

    private init(policy: MaskingPolicy) { self.policy = policy }

    /// The masked payload of a frame of `kind`, and the spans in it.
    static func mask(
        _ object: JSONObject, kind: Frame.Kind, policy: MaskingPolicy, table: inout SecretTable
    ) -> TextMasker.Result {
        let known = table.count
        let masked = maskOnce(object, kind: kind, policy: policy, table: &table)
        // What a header field tells to be secret may stand in the URL before it.
        if table.count == known { return masked }
        return maskOnce(object, kind: kind, policy: policy, table: &table)
    }

    private static func maskOnce(
        _ object: JSONObject, kind: Frame.Kind, policy: MaskingPolicy, table: inout SecretTable
    ) -> TextMasker.Result {
        var masker = FrameMasker(policy: policy)
        masker.writeObject(object, &table, .plain) { key in
            switch (kind, key) {
            case (.request, "url"): .url
            case (.request, "headers"), (.response, "headers"), (.end, "trailers"): .headers
            case (.client, "config"), (.session, "labels"): .setting
            case (.call, "args"), (.tool, _), (.entropy, _): .replayed
            default: .plain
            }
        }
        return TextMasker.Result(bytes: masker.payload, spans: masker.spans)
    }

    private mutating func write(_ value: JSON, _ place: Place, _ table: inout SecretTable) {
        switch place {
        case .headers: return writeHeaders(value, &table)
        case .url, .headerValue:
            if let text = WireText(json: value) { return writeWireText(text.bytes, place, &table) }
        case .plain, .replayed, .setting, .secret: break
        }
        switch value {
        case .null, .bool: value.append(to: &payload)
        case .number(let text): writeNumber(text, &table)
        case .string(let text): writeString(Array(text.utf8), place, &table)
        case .array(let elements):
            writeArray(elements.count, &table) { $0.write(elements[$1], place, &$2) }
        case .object(let object):
            writeObject(object, &table, place) { [policy] key in
                guard case .setting = place, policy.isSensitive(key: key) else { return place }
                return .secret(rule: "key:" + key.lowercased())
            }
        }
    }

    private mutating func writeString(
        _ text: [UInt8], _ place: Place, _ table: inout SecretTable
    ) {
        writeString(TextMasker.mask(text, finds(in: text, place), table: &table))
    }

    /// The secrets that a rule finds in a string.
    private func finds(in text: [UInt8], _ place: Place) -> [SecretFind] {
        switch place {
        case .replayed: policy.secrets(text: text).filter(\.isMaskedEverywhere)
        case .setting: policy.secrets(setting: text)
        case .secret(let rule):
            // The client itself may have masked it.
            text.allSatisfy { $0 == UInt8(ascii: "*") }
                ? []
                : [SecretFind(range: 0..<text.count, rule: rule, value: text, isCertain: false)]
        case .url: policy.secrets(url: text)
        case .headerValue(let name): policy.secrets(header: name, value: text)
        case .plain, .headers: policy.secrets(text: text)
        }
    }

    private mutating func writeArray(
        _ count: Int, _ table: inout SecretTable,
        _ write: (inout FrameMasker, Int, inout SecretTable) -> Void
    ) {
        payload.append(UInt8(ascii: "["))
        for index in 0..<count {
            if index > 0 { payload.append(UInt8(ascii: ",")) }
            write(&self, index, &table)
        }
        payload.append(UInt8(ascii: "]"))
    }

    /// - Parameters:
    ///   - keys: What the keys are.
    ///   - place: What the value of a key is.
    private mutating func writeObject(
        _ object: JSONObject, _ table: inout SecretTable, _ keys: Place,
        place: (String) -> Place
    ) {
        let keys = if case .secret = keys { Place.setting } else { keys }
        payload.append(UInt8(ascii: "{"))
        for (index, member) in object.members.enumerated() {
            if index > 0 { payload.append(UInt8(ascii: ",")) }
            writeString(Array(member.key.utf8), keys, &table)
            payload.append(UInt8(ascii: ":"))
            write(member.value, place(member.key), &table)
        }
        payload.append(UInt8(ascii: "}"))
    }

    private mutating func writeHeaders(_ value: JSON, _ table: inout SecretTable) {
        let fields = value.array ?? []
        writeArray(fields.count, &table) { masker, index, table in
            let field = fields[index]
            let name = field[0].flatMap { WireText(json: $0) }?.description ?? ""
            masker.writeArray(field.array?.count ?? 0, &table) { masker, part, table in
                let place = part == 1 ? Place.headerValue(name: name) : .plain
                masker.write(field[part] ?? .null, place, &table)
            }
        }
    }

    private mutating func writeWireText(
        _ bytes: [UInt8], _ place: Place, _ table: inout SecretTable
    ) {
        if case .headerValue(let name) = place {
            for inner in policy.innerSecrets(header: name, value: bytes) {
                _ = table.place(of: inner)
            }
        }
        let masked = TextMasker.mask(bytes, finds(in: bytes, place), table: &table)
        guard case .object = WireText(bytes: masked.bytes).json else { return writeString(masked) }
        writeBase64(masked)
    }

    /// Bytes that are not UTF-8 even when masked: the mask covers the base64 of all of them.
    private mutating func writeBase64(_ masked: TextMasker.Result) {
        let start = payload.count + #"{"base64":""#.utf8.count
        WireText(bytes: masked.bytes).json.append(to: &payload)
        guard var span = masked.spans.first else { return }
        span.range = start..<payload.count - #""}"#.utf8.count
        spans.append(span)
    }

    /// Writes a string with its escapes, and its spans where they came to stand.
    private mutating func writeString(_ text: TextMasker.Result) {
        guard !text.spans.isEmpty else {
            JSON.append(string: String(decoding: text.bytes, as: UTF8.self), to: &payload)
            return
        }
        payload.append(UInt8(ascii: "\""))
        var written = 0
        for span in text.spans {
            appendEscaped(text.bytes[written..<span.range.lowerBound])
            var moved = span
            moved.range = payload.count..<payload.count + span.range.count
            spans.append(moved)
            payload.append(contentsOf: text.bytes[span.range])
            written = span.range.upperBound
        }
        appendEscaped(text.bytes[written...])
        payload.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ bytes: ArraySlice<UInt8>) {
        var quoted: [UInt8] = []
        JSON.append(string: String(decoding: bytes, as: UTF8.self), to: &quoted)
        payload.append(contentsOf: quoted.dropFirst().dropLast())
    }

    /// A number stays one: see ``NumberMask``.
    private mutating func writeNumber(_ text: String, _ table: inout SecretTable) {
        let bytes = Array(text.utf8)
        let start = payload.count
        payload.append(contentsOf: bytes)
        let masked = TextMasker.mask(bytes, table: &table)
        if masked.spans.isEmpty { return }
        var number = NumberMask()
        for (index, byte) in bytes.enumerated() {
            let mask = number.mask(of: byte)
            if masked.spans.contains(where: { $0.range.contains(index) }) {
                payload[start + index] = mask
            }
        }
        for var span in masked.spans {
            span.range = start + span.range.lowerBound..<start + span.range.upperBound
            spans.append(span)
        }
    }
}
