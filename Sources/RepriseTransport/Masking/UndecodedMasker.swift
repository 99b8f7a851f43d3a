internal import RepriseTape
internal import RepriseWire

/// Masks the bytes of a coded body that cannot be decoded, or not further.
///
/// What is text is searched as it is. Anything else may hold a secret in a form that another
/// decoder reads, such as a whole gzip member behind a damaged one, and is masked whole as soon as
/// the session has a secret; so is all that follows it.
struct UndecodedMasker: Sendable {
    static let rule = "undecodable"

    private var masker: BodyMasker
    private var text = TextCheck()
    /// Whether all bytes so far are text.
    private var isText: Bool
    /// Whether there may be secrets that nobody knows yet.
    private let hasPaths: Bool

    /// - Parameter isText: Whether the bytes may be text; else they are data from the first on.
    init(mediaType: String? = nil, paths: [String] = [], isText: Bool) {
        masker = BodyMasker(mediaType: mediaType, paths: paths)
        hasPaths = !paths.isEmpty
        self.isText = isText
    }

    /// Masks `bytes[start...]`, which become a part of the payload of frame `frame`.
    mutating func push(
        _ bytes: [UInt8], from start: Int = 0, frame: UInt64, table: inout SecretTable
    ) -> BodyMasker.Output {
        let isBeginningText = isText
        isText = isText && text.accepts(bytes[start...])
        if isText {
            // Zeros hide what was searched already, and keep the offsets those of the frame.
            let hidden = [UInt8](repeating: 0, count: start) + bytes[start...]
            var output = masker.push(hidden, frame: frame, table: &table)
            output.bytes.replaceSubrange(..<start, with: bytes[..<start])
            return output
        }
        var output = BodyMasker.Output(bytes: bytes)
        if isBeginningText { output.corrections = masker.finish(table: &table) }
        guard start < bytes.count, hasPaths || !table.isEmpty else { return output }
        let range = start..<bytes.count
        output.bytes.replaceSubrange(
            range, with: repeatElement(UInt8(ascii: "*"), count: range.count))
        output.spans = [MaskSpan(range: range, rule: UndecodedMasker.rule)]
        return output
    }

    /// What is known at the end of the body.
    mutating func finish(table: inout SecretTable) -> [FrameContent] {
        isText ? masker.finish(table: &table) : []
    }

    /// Whether bytes by themselves are text.
    static func isText(_ bytes: [UInt8]) -> Bool {
        var text = TextCheck()
        return text.accepts(bytes[...])
    }
}

/// Tells text, UTF-8 without control characters, from other bytes, across all cuts.
private struct TextCheck: Sendable {
    private var character = UTF8Sequence()

    /// Whether `bytes` go on as text.
    mutating func accepts(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { byte in
            if character.isOpen { return character.accept(byte) }
            if byte >= 0x80 { return character.begin(byte) }
            return byte >= 0x20 && byte != 0x7F || [0x09, 0x0A, 0x0D].contains(byte)
        }
    }
}
