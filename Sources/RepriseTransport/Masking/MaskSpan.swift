internal import RepriseTape

/// Masked bytes of the payload at hand.
struct MaskSpan: Hashable, Sendable {
    var range: Range<Int>
    var rule: String
    /// The number of the secret, once known.
    var secret: Int?
    /// Whether the bytes may only begin a secret.
    var isProvisional = false

    func record(frame: UInt64) -> MaskedRecord {
        MaskedRecord(
            frame: frame, offset: range.lowerBound, length: range.count, rule: rule,
            secret: secret, provisional: isProvisional ? true : nil)
    }
}
