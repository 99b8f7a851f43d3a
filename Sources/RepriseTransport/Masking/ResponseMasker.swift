internal import RepriseTape
internal import RepriseWire

/// Masks a response's body, content-coded or not.
///
/// A coded body stays as it came until its first possible secret; from that delivery on it is
/// stored decoded, with the same cuts. What cannot be decoded is left to ``UndecodedMasker``.
struct ResponseMasker {
    /// How many bytes one delivery may decode to; more cannot be decoded.
    private static let outputLimit = 32 << 20

    /// The frame for a delivery, the masks in it, and frames about earlier ones.
    typealias Masked = (content: FrameContent, output: BodyMasker.Output)

    private let paths: [String]
    private let mediaType: String?
    private var masker: BodyMasker
    /// nil where the body is not coded, or not decodable further.
    private var decoder: ContentDecoder?
    /// Where it is not decodable further.
    private var undecoded: UndecodedMasker?
    private var isDecoded = false
    /// What is wrong with the coding, where the frames do not show it.
    private(set) var fault: ContentCodingError?

    init(_ head: ResponseRecord, paths: [String]) {
        self.paths = paths
        mediaType = head.headers.mediaType
        masker = BodyMasker(mediaType: mediaType, paths: paths)
        let codings = head.headers.contentCodings
        if codings.isEmpty { return }
        decoder = try? ContentDecoder(codings: codings, outputLimit: ResponseMasker.outputLimit)
        if decoder == nil {
            undecoded = UndecodedMasker(mediaType: mediaType, paths: paths, isText: true)
        }
    }

    /// Masks a delivery as it came.
    mutating func push(
        _ bytes: [UInt8], frame: UInt64, table: inout SecretTable
    ) -> Masked {
        if undecoded != nil { return pushUndecoded(bytes, frame: frame, table: &table) }
        guard let decoder else {
            let output = masker.push(bytes, frame: frame, table: &table)
            return (.responseBody(output.bytes), output)
        }
        var plain: [UInt8] = []
        do {
            try decoder.push(bytes, into: &plain)
        } catch {
            self.decoder = nil
            return stop(error, at: decoder.faultOffset, bytes, plain, frame: frame, table: &table)
        }
        let output = masker.push(plain, frame: frame, table: &table)
        // A coding has places for text besides the content, such as a file's name.
        isDecoded = isDecoded || !output.spans.isEmpty || !table.trie.matches(in: bytes).isEmpty
        return isDecoded ? (.decodedBody(output.bytes), output) : (.responseBody(bytes), output)
    }

    /// Masks a delivery that the transport decoded.
    mutating func pushDecoded(
        _ bytes: [UInt8], frame: UInt64, table: inout SecretTable
    ) -> Masked {
        let output = masker.push(bytes, frame: frame, table: &table)
        return (.decodedBody(output.bytes), output)
    }

    /// What is known at the end of the body.
    ///
    /// - Parameter isWhole: Whether all of the body came.
    mutating func finish(isWhole: Bool, table: inout SecretTable) -> [FrameContent] {
        let contents = masker.finish(table: &table) + (undecoded?.finish(table: &table) ?? [])
        guard let decoder, isDecoded, isWhole else { return contents }
        do { try decoder.finish() } catch { fault = error }
        return contents
    }

    private mutating func pushUndecoded(
        _ bytes: [UInt8], from start: Int = 0, frame: UInt64, table: inout SecretTable
    ) -> Masked {
        let output =
            undecoded?.push(bytes, from: start, frame: frame, table: &table)
            ?? BodyMasker.Output(bytes: bytes)
        return (.responseBody(output.bytes), output)
    }

    /// Decodes no further: `plain` is what came out of a delivery before the fault, which is at
    /// `offset` in `bytes`.
    private mutating func stop(
        _ error: ContentCodingError, at offset: Int?, _ bytes: [UInt8], _ plain: [UInt8],
        frame: UInt64, table: inout SecretTable
    ) -> Masked {
        if error.offset == 0, UndecodedMasker.isText(bytes) {
            // No coded body at all, whatever its head says.
            undecoded = UndecodedMasker(mediaType: mediaType, paths: paths, isText: true)
            return pushUndecoded(bytes, frame: frame, table: &table)
        }
        undecoded = UndecodedMasker(paths: paths, isText: error.kind == .trailingBytes)
        var output = masker.push(plain, frame: frame, table: &table)
        output.corrections += masker.finish(table: &table)
        guard !isDecoded, output.spans.isEmpty, let offset,
            table.trie.matches(in: Array(bytes[..<offset])).isEmpty
        else {
            isDecoded = true
            fault = error
            return (.decodedBody(output.bytes), output)
        }
        return pushUndecoded(bytes, from: offset, frame: frame, table: &table)
    }
}
