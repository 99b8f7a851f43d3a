internal import RepriseSession
internal import RepriseWire

/// A response's body from the bytes of the wire to events or one JSON text, as it comes.
struct BodyReader {
    /// The most bytes of a JSON body that are parsed: 16 MiB.
    static let limit = 16 << 20
    /// The most bytes that one delivery may decode to: 256 MiB.
    static let outputLimit = 256 << 20

    /// What is made of the decoded bytes.
    enum Form {
        /// Nothing.
        case unread
        case events(SSEDecoder)
        case json([UInt8])
    }

    /// What came out.
    enum Item {
        case event(SSEDecoder.Event)
        case comment(start: Int)
        case remark(SSEDecoder.Remark)
        case json([UInt8])
        case fault(ContentCodingError)
    }

    private var form: Form
    private let decoder: ContentDecoder?
    private var hasDecodedFrames = false
    /// Bytes as they came, before the coding was undone.
    private(set) var wireCount = 0
    /// Bytes after it was undone.
    private(set) var count = 0
    /// Whether all that came could be decoded.
    private(set) var isSound = true
    /// Whether the coding has ended, although bytes follow: they are no content.
    private var isPastEnd = false

    init(_ form: Form, codings: [String]) throws(ContentCodingError) {
        self.form = form
        decoder =
            codings.isEmpty
            ? nil : try ContentDecoder(codings: codings, outputLimit: BodyReader.outputLimit)
    }

    /// Whether the recording holds the body as it was on the wire, so that it can be measured.
    var isVerbatim: Bool { !hasDecodedFrames }

    /// Takes bytes of the wire.
    mutating func push(_ bytes: [UInt8]) -> [Item] {
        wireCount += bytes.count
        guard let decoder else { return take(bytes) }
        // What was kept coded behind decoded frames could not be decoded.
        guard isSound, !isPastEnd, !hasDecodedFrames else { return [] }
        var decoded: [UInt8] = []
        do {
            try decoder.push(bytes, into: &decoded)
            return take(decoded)
        } catch {
            return take(decoded) + [note(error)]
        }
    }

    private mutating func note(_ fault: ContentCodingError) -> Item {
        if fault.kind == .trailingBytes { isPastEnd = true } else { isSound = false }
        return .fault(fault)
    }

    /// Takes bytes that are decoded already.
    mutating func push(decoded bytes: [UInt8]) -> [Item] {
        hasDecodedFrames = true
        return take(bytes)
    }

    /// No byte follows.
    ///
    /// - Parameters:
    ///   - isWhole: Whether the exchange says that all of it came; where it does not, a coding or
    ///     an event that is cut is no fault of its own.
    ///   - fault: What the recording says of the coding of decoded frames.
    mutating func finish(isWhole: Bool, fault: ContentCodingError?) -> [Item] {
        var items: [Item] = []
        if let fault, hasDecodedFrames { items.append(note(fault)) }
        guard isWhole && isSound else { return items }
        if let decoder, !hasDecodedFrames, !isPastEnd {
            do { try decoder.finish() } catch { return [note(error)] }
        }
        switch form {
        case .unread: break
        case .events(var events):
            items += events.finish().compactMap(BodyReader.item)
        case .json(let bytes):
            if count <= BodyReader.limit { items.append(.json(bytes)) }
        }
        return items
    }

    private mutating func take(_ bytes: [UInt8]) -> [Item] {
        count += bytes.count
        switch form {
        case .unread: return []
        case .events(var events):
            // Out and in again, so that the decoder's buffers are not copied.
            form = .unread
            let items = events.push(bytes).compactMap(BodyReader.item)
            form = .events(events)
            return items
        case .json(var text):
            form = .unread
            if count <= BodyReader.limit { text += bytes } else { text = [] }
            form = .json(text)
            return []
        }
    }

    private static func item(_ item: SSEDecoder.Item) -> Item? {
        switch item {
        case .event(let event): .event(event)
        case .comment(let comment): .comment(start: comment.start)
        case .remark(let remark): .remark(remark)
        case .retry, .unknownField: nil
        }
    }
}

extension SSEDecoder.Remark {
    /// The rule that it breaks, with what was expected and what was seen.
    var breach: (rule: Rule, expected: String, seen: String)? {
        switch kind {
        case .unfinishedEvent:
            (.sseS1, "a blank line behind the last event", "\(end - start) bytes without one")
        case .invalidUTF8: (.sseS2, "UTF-8", "other bytes")
        case .byteOrderMark: (.sseS3, "a byte order mark only at the start", "one inside")
        case .nulInID: (.sseS4, "an id without NUL", "one with it")
        case .retryNotDigits: (.sseS4, "a retry of digits", "something else")
        case .commentAsData: (.sseS5, "a comment that begins its line", "a colon behind data:")
        case .eventWithoutData: (.sseS5, "data in an event", "only an id or a type")
        case .mixedLineEnds: (.sseS6, "one kind of line end", "another one than before")
        // A limit of this reader and no fault of the stream.
        case .eventTooLarge: nil
        }
    }
}
