internal import RepriseTape
internal import RepriseWire

/// The lines of `reprise show`.
struct ShowTimeline {
    private let output: OutputStream
    private let isFull: Bool
    private var lines: LineBuffer
    /// The exchanges that are open.
    private var exchanges: [UInt64: ShowBody] = [:]

    /// How many characters of a text are shown, unless all are.
    private static let textLimit = 240
    /// Where the text of a line begins.
    private static let indent = 22

    init(_ output: OutputStream, isFull: Bool) {
        self.output = output
        lines = LineBuffer(output)
        self.isFull = isFull
    }

    mutating func show(_ item: TapeReader.Item) {
        switch item {
        case .frame(let frame): show(frame)
        case .damage(let damage): write("", nil, "!", "damage: \(damage)", .red)
        }
    }

    /// Tells of exchanges without an end, and what the tape was.
    mutating func finish(_ summary: TapeSummary) {
        for number in exchanges.keys.sorted() {
            write("", number, "■", "no end: the recorder died here", .red)
        }
        let unverified =
            summary.unverifiedFrames == 0 ? "" : ", \(summary.unverifiedFrames) unverified"
        let state = summary.isSealed ? "sealed" : "unsealed"
        write(
            "", nil, " ", TapeArgument.counted(summary.frames, "frame") + "\(unverified), \(state)",
            .faint)
    }

    /// Shows what has collected.
    mutating func flush() { lines.flush() }

    private mutating func show(_ frame: Frame) {
        let text: ShowText
        do throws(TapeError) {
            let content = try frame.content()
            text = ShowText(content, body: &exchanges[frame.exchange])
        } catch {
            text = ShowText("!", "a frame that cannot be read: \(error)", .red)
        }
        write(
            Self.seconds(frame.time), frame.exchange == 0 ? nil : frame.exchange, text.sign,
            text.text + (frame.isVerified ? "" : " (unverified)"), text.style)
        guard isFull else { return }
        for line in text.details { write("", nil, " ", line, .faint) }
    }
}

extension ShowTimeline {
    private mutating func write(
        _ time: String, _ exchange: UInt64?, _ sign: String, _ text: String,
        _ style: OutputStream.Style?
    ) {
        let number = exchange.map { String($0) } ?? ""
        let head = Self.padded(time, 13) + Self.padded(number, 6) + " \(sign) "
        let shown = isFull ? text : Self.cut(text)
        let folded = Self.folded(
            OutputStream.line(shown), width: output.width - Self.indent)
        for (index, line) in folded.enumerated() {
            let start = index == 0 ? head : String(repeating: " ", count: Self.indent)
            lines.append((start + (style.map { output.styled(line, $0) } ?? line)).utf8)
        }
    }

    private static func cut(_ text: String) -> String {
        if text.utf8.count <= textLimit { return text }
        // What follows is not counted: there may be much of it.
        let end = text.index(text.startIndex, offsetBy: textLimit, limitedBy: text.endIndex)
        guard let end, end < text.endIndex else { return text }
        return text.prefix(textLimit - 1) + "…"
    }

    /// Seconds with microseconds, of nanoseconds.
    static func seconds(_ time: Int64) -> String {
        let micros = time.magnitude / 1_000
        let fraction = String(micros % 1_000_000)
        let zeros = String(repeating: "0", count: 6 - fraction.count)
        return "\(time < 0 ? "-" : "")\(micros / 1_000_000).\(zeros)\(fraction)"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// `text` in lines of at most `width`, broken at a blank where there is one near the end.
    static func folded(_ text: String, width: Int) -> [String] {
        let width = max(width, 20)
        if text.utf8.count <= width { return [text] }
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return foldedASCII(Array(text.utf8), width) }
        var lines: [String] = []
        var rest = Substring(text)
        // What is left is never counted as a whole: that would take a time that grows with its
        // square.
        while let end = rest.index(rest.startIndex, offsetBy: width, limitedBy: rest.endIndex),
            end < rest.endIndex
        {
            let line = rest[..<end]
            if let blank = line.dropFirst(width * 2 / 3).lastIndex(of: " ") {
                lines.append(String(line[..<blank]))
                rest = rest[rest.index(after: blank)...]
            } else {
                lines.append(String(line))
                rest = rest[end...]
            }
        }
        return lines + [String(rest)]
    }

    /// The same where each character is a byte.
    private static func foldedASCII(_ text: [UInt8], _ width: Int) -> [String] {
        var lines: [String] = []
        var rest = text[...]
        while rest.count > width {
            let line = rest.prefix(width)
            let blank = line.dropFirst(width * 2 / 3).lastIndex(of: UInt8(ascii: " "))
            lines.append(String(decoding: rest[..<(blank ?? line.endIndex)], as: UTF8.self))
            rest = rest[(blank.map { $0 + 1 } ?? line.endIndex)...]
        }
        return lines + [String(decoding: rest, as: UTF8.self)]
    }
}
