internal import RepriseTape
internal import RepriseWire

/// Masks a response's body, content-coded or not.
///
/// A coded body stays as it came until its first possible secret; from that delivery on it is
/// stored decoded, with the same cuts. A body whose coding is not supported or whose data is
/// corrupt is searched as it is, since nobody can decode it.
struct ResponseMasker {
    /// How many bytes one delivery may decode to; more counts as corrupt.
    private static let outputLimit = 32 << 20

    private let paths: [String]
    private let mediaType: String?
    private var masker: BodyMasker
    /// nil where the body is not coded, or not decodable further.
    private var decoder: ContentDecoder?
    private var isDecoded = false

    init(_ head: ResponseRecord, paths: [String]) {
        self.paths = paths
        mediaType = head.headers.mediaType
        masker = BodyMasker(mediaType: mediaType, paths: paths)
        let codings = head.headers.contentCodings
        if !codings.isEmpty {
            decoder = try? ContentDecoder(
                codings: codings, outputLimit: ResponseMasker.outputLimit)
        }
    }

    /// The frame for a delivery, the masks in it, and frames about earlier ones.
    mutating func push(
        _ bytes: [UInt8], frame: UInt64, table: inout SecretTable
    ) -> (content: FrameContent, output: BodyMasker.Output) {
        guard let decoder else { return pushPlain(bytes, frame: frame, table: &table) }
        var plain: [UInt8] = []
        var failure: ContentCodingError?
        do {
            try decoder.push(bytes, into: &plain)
        } catch {
            failure = error
            self.decoder = nil
            // Not one byte came out: this is no coded body at all.
            if decoder.count == 0 { return pushPlain(bytes, frame: frame, table: &table) }
        }
        var output = masker.push(plain, frame: frame, table: &table)
        isDecoded = isDecoded || !output.spans.isEmpty
        if let failure { giveUp(failure, table: &table, &output) }
        if isDecoded { return (.decodedBody(output.bytes), output) }
        guard failure != nil else { return (.responseBody(bytes), output) }
        // Bytes behind the end of the coded data may be anything.
        let coded = TextMasker.mask(bytes, table: &table)
        output.spans = coded.spans
        return (.responseBody(coded.bytes), output)
    }

    /// Masks a delivery that the transport decoded.
    mutating func pushDecoded(
        _ bytes: [UInt8], frame: UInt64, table: inout SecretTable
    ) -> (content: FrameContent, output: BodyMasker.Output) {
        let output = masker.push(bytes, frame: frame, table: &table)
        return (.decodedBody(output.bytes), output)
    }

    /// What is known at the end of the body.
    mutating func finish(table: inout SecretTable) -> [FrameContent] {
        var contents = masker.finish(table: &table)
        guard let decoder, isDecoded else { return contents }
        do {
            try decoder.finish()
        } catch {
            contents.append(.note("\(error)"))
        }
        return contents
    }

    private mutating func pushPlain(
        _ bytes: [UInt8], frame: UInt64, table: inout SecretTable
    ) -> (content: FrameContent, output: BodyMasker.Output) {
        let output = masker.push(bytes, frame: frame, table: &table)
        return (.responseBody(output.bytes), output)
    }

    /// Goes on with the bytes as they are. Where the frame at hand is decoded it no longer shows
    /// what was wrong, so a note does.
    private mutating func giveUp(
        _ error: ContentCodingError, table: inout SecretTable, _ output: inout BodyMasker.Output
    ) {
        output.corrections += masker.finish(table: &table)
        if isDecoded { output.corrections.append(.note("\(error)")) }
        masker = BodyMasker(mediaType: nil, paths: [])
    }
}
