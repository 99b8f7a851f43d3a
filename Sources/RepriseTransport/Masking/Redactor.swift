package import RepriseTape
internal import RepriseWire

/// Masks the secrets of one session before they are written.
///
/// It learns secrets from header fields, URLs, declared JSON values and ``declare(_:)``, numbers
/// them in order of appearance, and masks them wherever else they stand. Nothing is held back:
/// what goes in comes out with the same cuts.
package struct Redactor: Sendable {
    let policy: MaskingPolicy
    var table = SecretTable()

    package init(policy: MaskingPolicy = .standard) { self.policy = policy }

    /// From here on, `secret` is masked wherever it appears, if it has at least 8 bytes.
    package mutating func declare(_ secret: String) {
        _ = table.place(of: Array(secret.utf8))
    }

    /// The frames to write for `content`: itself, masked, with number `frame` (or a little later
    /// where frames about earlier ones must come first), and `masked` and `reveal` frames.
    ///
    /// - Parameters:
    ///   - frame: The number that the first of the returned frames will get.
    ///   - time: Their time.
    package mutating func redact(
        _ content: FrameContent, exchange: UInt64, time: Int64, frame: UInt64
    ) -> [Frame] {
        switch content {
        case .requestEnd, .phases, .held, .masked, .reveal, .unknown, .requestBody, .responseBody,
            .decodedBody, .socketFrame:
            return [Frame(content, exchange: exchange, time: time, number: frame)]
        case .session, .request, .response, .end, .tool, .entropy, .note, .call, .client:
            return redactObject(content, exchange: exchange, time: time, frame: frame)
        }
    }

    private mutating func redactObject(
        _ content: FrameContent, exchange: UInt64, time: Int64, frame: UInt64
    ) -> [Frame] {
        var result = Frame(content, exchange: exchange, time: time, number: frame)
        guard let object = try? result.object() else { return [result] }
        let masked = FrameMasker.mask(object, kind: content.kind, policy: policy, table: &table)
        result.payload = masked.bytes
        return [result]
            + masked.spans.map {
                Frame(.masked($0.record(frame: frame)), exchange: exchange, time: time)
            }
    }
}

extension Redactor {
    /// An exchange begins, whose bodies hold secrets at the given paths.
    package mutating func open(exchange: UInt64, sensitive: SensitivePaths) {}
}

extension Redactor {
    /// An exchange is over; ``redact(_:exchange:time:frame:)`` of its `end` does the same.
    package mutating func close(exchange: UInt64) {}
}
