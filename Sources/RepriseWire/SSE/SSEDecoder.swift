/// An incremental reader of an event stream (WHATWG HTML section 9.2): bytes in, in any pieces,
/// events and comments with their offsets out, with a remark on all that is odd.
///
/// An event comes out at once when the first byte of its blank line's end was pushed.
public struct SSEDecoder: Sendable {
    enum LineEnd: UInt8 {
        case lf
        case cr
        case crlf
    }

    /// How lines make events.
    public enum Form: Sendable, Hashable {
        /// As the standard has it.
        case standard
        /// As some kits read streams: each line that begins with `data: `, the blank included, is
        /// an event of its own, without waiting for a blank line; all others are passed over.
        case dataLines
    }

    /// How lines make events.
    public let form: Form
    /// How many bytes an event or a line may have before it is dropped.
    public let sizeLimit: Int
    /// How many bytes were taken.
    public private(set) var count = 0
    /// The id of the last event that ended, whether it had data or not.
    public internal(set) var lastEventID = ""

    /// What was pushed of the line that is not ended.
    private var line: [UInt8] = []
    private var lineStart = 0
    var isFirstLine = true
    /// Whether the last byte was a CR, so that an LF would belong to it.
    private var isBehindCR = false
    private var lineEnd: LineEnd?
    private var hasMixedLineEnds = false

    var pending = PendingEvent()
    var idBuffer = ""
    var items: [Item] = []

    /// A decoder at the start of a stream.
    ///
    /// - Parameters:
    ///   - form: How lines make events.
    ///   - sizeLimit: How many bytes an event or a line may have. A larger one is dropped with a
    ///     remark, so that memory is bounded.
    public init(_ form: Form = .standard, sizeLimit: Int = 64 << 20) {
        self.form = form
        self.sizeLimit = sizeLimit
    }

    /// Takes the next bytes and gives what they complete, in the order of the stream.
    public mutating func push(_ bytes: [UInt8]) -> [Item] {
        push(bytes.span)
        defer { items = [] }
        return items
    }

    /// Says that no byte follows. An event without its blank line is dropped, as the standard has
    /// it, and remarked.
    public mutating func finish() -> [Item] {
        if isBehindCR { note(.cr, at: count - 1) }
        isBehindCR = false
        if form == .dataLines, !line.isEmpty {
            let last = line
            line = []
            takeDataLine(last.span, start: lineStart, end: count)
        }
        if let start = unfinishedStart {
            remark(.unfinishedEvent, start, count)
        }
        pending = PendingEvent()
        line = []
        defer { items = [] }
        return items
    }

    private var unfinishedStart: Int? {
        if let start = pending.start { return start }
        var rest = line[...]
        if isFirstLine && rest.starts(with: SSEDecoder.byteOrderMark) { rest = rest.dropFirst(3) }
        let isField = !rest.isEmpty && rest.first != UInt8(ascii: ":")
        return isField || pending.isOversized ? lineStart : nil
    }

    private mutating func push(_ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count {
            if isBehindCR {
                isBehindCR = false
                if bytes[index] == 0x0A {
                    note(.crlf, at: count + index - 1)
                    index += 1
                    lineStart += 1
                    continue
                }
                note(.cr, at: count + index - 1)
            }
            let end = bytes.lineEnd(from: index)
            guard end < bytes.count else {
                keep(bytes, index..<end)
                break
            }
            if bytes[end] == 0x0D {
                isBehindCR = true
            } else {
                note(.lf, at: count + end)
            }
            endLine(bytes, index..<end)
            index = end + 1
        }
        count += bytes.count
    }

    /// Keeps the beginning of a line until its end comes.
    private mutating func keep(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        if pending.data.count + line.count + range.count > sizeLimit { dropEvent(lineStart) }
        if !pending.isOversized { line.append(bytes, range) }
    }

    private mutating func endLine(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        let end = count + range.upperBound + 1
        if line.isEmpty {
            take(bytes.extracting(range), start: lineStart, end: end)
        } else {
            keep(bytes, range)
            var whole: [UInt8] = []
            swap(&whole, &line)
            take(whole.span, start: lineStart, end: end)
            whole.removeAll(keepingCapacity: true)
            swap(&whole, &line)
        }
        lineStart = end
    }

    /// Notes how a line ended; the first one that differs is remarked.
    private mutating func note(_ end: LineEnd, at offset: Int) {
        guard let lineEnd else {
            lineEnd = end
            return
        }
        if lineEnd != end && !hasMixedLineEnds {
            hasMixedLineEnds = true
            remark(.mixedLineEnds, offset, offset + (end == .crlf ? 2 : 1))
        }
    }

    mutating func remark(_ kind: Remark.Kind, _ start: Int, _ end: Int) {
        items.append(.remark(Remark(kind: kind, start: start, end: end)))
    }

    /// Gives up on the event that is being read.
    mutating func dropEvent(_ start: Int) {
        if pending.isOversized { return }
        remark(.eventTooLarge, pending.start ?? start, start)
        pending.isOversized = true
        pending.data = []
        line = []
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension Span<UInt8> {
    /// The place of the first CR or LF from `index`; the end where there is none.
    fileprivate func lineEnd(from index: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = index
        while index + 8 <= count {
            let word = word(at: index)
            let lf = word ^ (ones &* 0x0A)
            let cr = word ^ (ones &* 0x0D)
            let hits = (((lf &- ones) & ~lf) | ((cr &- ones) & ~cr)) & (ones &* 0x80)
            if hits != 0 { return index + hits.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count, self[index] != 0x0A, self[index] != 0x0D { index += 1 }
        return index
    }
}
