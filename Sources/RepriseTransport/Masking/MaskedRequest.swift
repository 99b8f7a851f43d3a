package import RepriseTape
internal import RepriseWire

/// A request as a tape has it, for telling whether a live one is the same.
package struct MaskedRequest: Sendable {
    /// A header field; the value is its JSON text in the frame.
    package struct Field: Sendable {
        package var name: String
        package var value: MaskedText
    }

    package var method: String
    /// The JSON text of the URL in the frame.
    package var url: MaskedText
    package var headers: [Field] = []
    package var body: MaskedText

    /// A recorded request.
    ///
    /// - Parameters:
    ///   - head: Its `request` frame.
    ///   - body: Its `requestBody` frames, revealed bytes restored.
    ///   - masks: What is masked, by the number of the frame; see ``MaskMap``.
    /// - Throws: ``TapeError`` with code `badFrame` where `head` is no request.
    package init(
        head: Frame, body: [Frame], masks: [UInt64: [MaskedRecord]]
    ) throws(TapeError) {
        guard case .request(let record) = try head.content() else {
            throw TapeError(.badFrame, "a request frame was expected", frame: head.number)
        }
        method = record.method
        url = MaskedText(record.url.json.serializedBytes)
        self.body = MaskedText(
            joining: body.map { MaskedText($0.payload, masks: masks[$0.number] ?? []) })
        readValues(of: try head.object(), masks: masks[head.number] ?? [])
    }

    /// A live request, after the masking that a recorder would have done.
    package init(
        _ record: RequestRecord, body: [UInt8], sensitive: SensitivePaths,
        redactor: inout Redactor
    ) throws(TapeError) {
        let exchange = UInt64.max
        redactor.open(exchange: exchange, sensitive: sensitive)
        let contents: [FrameContent] =
            [.request(record)] + (body.isEmpty ? [] : [.requestBody(body)]) + [.requestEnd]
        var frames: [Frame] = []
        for content in contents {
            frames += redactor.redact(
                content, exchange: exchange, time: 0, frame: UInt64(frames.count))
        }
        redactor.close(exchange: exchange)
        try self.init(frames: frames)
    }

    private init(frames: [Frame]) throws(TapeError) {
        var map = MaskMap()
        var numbered = frames
        for index in numbered.indices { numbered[index].number = UInt64(index) }
        for frame in numbered {
            switch try frame.content() {
            case .masked(let record): map.add(record)
            case .reveal(let record):
                map.reveal(record)
                guard let place = Int(exactly: record.frame), numbered.indices.contains(place)
                else { continue }
                numbered[place].restore(record)
            default: break
            }
        }
        guard let head = numbered.first(where: { $0.kind == .request }) else {
            throw TapeError(.badFrame, "a request frame was expected")
        }
        try self.init(
            head: head, body: numbered.filter { $0.kind == .requestBody }, masks: map.masks)
    }

    /// Finds the URL and the header values in the frame's payload, where the masks count from.
    private mutating func readValues(of object: JSONObject, masks: [MaskedRecord]) {
        var offset = 1
        for member in object.members {
            offset += JSON.string(member.key).serializedBytes.count + 1
            let value = member.value.serializedBytes
            if member.key == "url" { url = MaskedText(value, masks: masks, base: offset) }
            if member.key == "headers" { readFields(member.value, at: offset, masks) }
            offset += value.count + 1
        }
    }

    private mutating func readFields(_ fields: JSON, at start: Int, _ masks: [MaskedRecord]) {
        headers = []
        var offset = start + 1
        for field in fields.array ?? [] {
            let name = field[0] ?? .null
            let value = (field[1] ?? .null).serializedBytes
            let base = offset + 1 + name.serializedBytes.count + 1
            headers.append(
                Field(
                    name: WireText(json: name)?.description ?? "",
                    value: MaskedText(value, masks: masks, base: base)))
            offset = base + value.count + 2
        }
    }
}

extension Frame {
    /// Puts back the bytes of a `reveal` frame; one that does not fit is ignored.
    package mutating func restore(_ reveal: RevealRecord) {
        guard reveal.offset >= 0, reveal.offset <= payload.count - reveal.bytes.count else {
            return
        }
        payload.replaceSubrange(
            reveal.offset..<reveal.offset + reveal.bytes.count, with: reveal.bytes)
    }
}
