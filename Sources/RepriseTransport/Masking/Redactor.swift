package import RepriseTape
internal import RepriseWire

/// Masks the secrets of one session before they are written.
///
/// It learns secrets from header fields, URLs, declared JSON values and ``declare(_:)``, numbers
/// them in order of appearance, and masks them wherever else they stand. Nothing is held back:
/// what goes in comes out with the same cuts.
///
/// A copy shares the decoders of its open exchanges with the original.
package struct Redactor {
    let policy: MaskingPolicy
    var table = SecretTable()
    var exchanges: [UInt64: RedactedExchange] = [:]

    package init(policy: MaskingPolicy = .standard) { self.policy = policy }

    /// From here on, `secret` is masked wherever it appears, if it has at least 8 bytes.
    package mutating func declare(_ secret: String) {
        _ = table.place(of: Array(secret.utf8))
    }

    /// The frames to write for `content`: itself, masked, and `masked` and `reveal` frames behind
    /// it, or before it where they are about earlier frames and it is an end.
    ///
    /// - Parameters:
    ///   - time: The time of all of them.
    ///   - frame: The number that the first of them will get; the others' follow.
    package mutating func redact(
        _ content: FrameContent, exchange: UInt64, time: Int64, frame: UInt64
    ) -> [Frame] {
        switch content {
        case .requestEnd, .phases, .held, .masked, .reveal, .unknown:
            let ending = content == .requestEnd ? finishRequest(exchange) : []
            return ending.frames(exchange, time) + [Frame(content, exchange: exchange, time: time)]
        case .requestBody, .responseBody, .decodedBody, .socketFrame:
            return redactBody(content, exchange: exchange, time: time, frame: frame)
        case .session, .tool, .entropy, .note, .call, .client:
            return redactObject(content, exchange: exchange, time: time, frame: frame)
        case .request, .response:
            begin(content, exchange)
            return redactObject(content, exchange: exchange, time: time, frame: frame)
        case .end(let record):
            let (contents, end) = finishExchange(exchange, record)
            let ending = contents.frames(exchange, time)
            return ending
                + redactObject(
                    .end(end), exchange: exchange, time: time,
                    frame: frame + UInt64(ending.count))
        }
    }

    /// The session, frame 0, and the frames about its masks.
    mutating func redact(_ session: SessionRecord) -> (record: SessionRecord, masks: [Frame]) {
        let frames = redact(.session(session), exchange: 0, time: 0, frame: 0)
        guard case .session(let record)? = try? frames.first?.content() else {
            // Labels that are too deep to be read again.
            var bare = session
            bare.labels = [:]
            return (bare, [])
        }
        return (record, Array(frames.dropFirst()))
    }

    private mutating func redactObject(
        _ content: FrameContent, exchange: UInt64, time: Int64, frame: UInt64
    ) -> [Frame] {
        var result = Frame(content, exchange: exchange, time: time)
        let spans: [MaskSpan]
        if let object = try? result.object() {
            let masked = FrameMasker.mask(
                object, kind: content.kind, policy: policy, table: &table)
            (result.payload, spans) = (masked.bytes, masked.spans)
        } else {
            (result.payload, spans) = redactText(result.payload, frame: frame)
        }
        return [result]
            + spans.map {
                Frame(.masked($0.record(frame: frame)), exchange: exchange, time: time)
            }
    }

    /// Deeper than JSON is read: a tool's input, say, is not to be trusted with secrets.
    private mutating func redactText(
        _ payload: [UInt8], frame: UInt64
    ) -> (bytes: [UInt8], spans: [MaskSpan]) {
        let finds = policy.secrets(text: payload).filter(\.isMaskedEverywhere)
        let found = TextMasker.mask(payload, finds, isSearched: false, table: &table)
        var masker = BodyMasker(mediaType: "application/json", paths: [])
        let masked = masker.push(found.bytes, frame: frame, table: &table)
        let spans = (found.spans + masked.spans).sorted {
            $0.range.lowerBound < $1.range.lowerBound
        }
        return (masked.bytes, spans)
    }
}
