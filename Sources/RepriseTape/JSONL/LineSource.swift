/// Reads the lines of a JSONL file in order.
final class LineSource: FrameSource {
    private let source: ByteSource
    private var position: UInt64 = 0
    private var lineNumber = 0
    private var nextFrame: UInt64 = 0
    private var isDone = false
    private var hasNoEnd = false
    private(set) var isCanonical = false

    /// No frame has a longer line: each of its bytes takes at most six, as an escape.
    private static let lineLimit = 6 * TapeFormat.maximumFrameLength + (64 << 10)
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(_ source: ByteSource) { self.source = source }

    let tape: TapeID? = nil
    let members: UInt64 = 0
    var isSealed: Bool { isDone && !hasNoEnd }

    /// Whether a file begins as JSON text does: with `{`, or with blanks alone.
    static func isJSONL(_ source: ByteSource) throws(TapeError) -> Bool {
        // No more is read than it takes, since more may not come for a while.
        while true {
            let text = withoutMark(source.buffer[...])
            if let first = text.first(where: { !isBlank($0) }) { return first == UInt8(ascii: "{") }
            guard source.end < UInt64(ByteSource.chunkSize), try source.fill() else { break }
        }
        return source.end > 0
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    func next() throws(TapeError) -> TapeReader.Item? {
        while let bytes = try nextLine() {
            if bytes.allSatisfy(Self.isBlank) { continue }
            do throws(TapeError) {
                return try item(bytes)
            } catch {
                throw TapeError(
                    error.code == .unsupportedVersion ? error.code : .badLine, error.message,
                    line: lineNumber)
            }
        }
        isDone = true
        return nil
    }

    private func item(_ bytes: [UInt8]) throws(TapeError) -> TapeReader.Item {
        let line = try LineParser.item(bytes)
        isCanonical = line.isCanonical
        switch line.item {
        case .frame(var frame):
            frame.number = nextFrame
            nextFrame += 1
            try checkVersion(of: frame)
            return .frame(frame)
        case .damage(let damage):
            if damage.kind == .unsealed { hasNoEnd = true }
            // What is lost keeps its numbers.
            nextFrame = max(nextFrame, damage.frames?.upperBound ?? 0)
            return .damage(damage)
        }
    }

    private func checkVersion(of frame: Frame) throws(TapeError) {
        guard frame.kind == .session, case .session(let record)? = try? frame.content(),
            record.version != Int(TapeFormat.version)
        else { return }
        throw .unsupported(version: record.version)
    }

    /// The next line without its end; nil at the end of the file.
    private func nextLine() throws(TapeError) -> [UInt8]? {
        source.drop(to: position)
        lineNumber += 1
        var searched = 0
        while true {
            let bytes = source.bytes(at: position, count: Self.lineLimit)
            if let end = bytes.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
                position += UInt64(end - bytes.startIndex + 1)
                return line(bytes[..<end])
            }
            searched = bytes.count
            guard searched < Self.lineLimit else {
                throw TapeError(.badLine, "the line is longer than any frame's", line: lineNumber)
            }
            if try !source.fill() {
                position += UInt64(searched)
                return searched == 0 ? nil : line(bytes)
            }
        }
    }

    private func line(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(lineNumber == 1 ? Self.withoutMark(bytes) : bytes)
    }

    private static func withoutMark(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes
    }
}
