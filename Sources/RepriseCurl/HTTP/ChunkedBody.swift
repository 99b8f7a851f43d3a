package import RepriseWire

/// Undoes the chunked coding (RFC 9112 section 7.1).
///
/// States: in a chunk's size; in the rest of that line; in its data; before the line end after it;
/// in the trailers; finished; failed, from where nothing comes out.
package struct ChunkedBody {
    private enum State {
        case size(Int, digits: Int)
        case line(Int)
        case data(Int)
        case dataEnd
        case trailer([UInt8])
        case finished
        case failed
    }

    /// The most that the trailers, or one line between chunks, may take: 1 MiB.
    private static let limit = 1 << 20

    private var state = State.size(0, digits: 0)
    private var fields: [Headers.Field] = []
    private var lineBytes = 0

    package init() {}

    /// Whether the last chunk and the trailers came.
    package var isFinished: Bool { if case .finished = state { true } else { false } }

    /// Whether what came is not the chunked coding.
    package var hasFailed: Bool { if case .failed = state { true } else { false } }

    /// Fields after the body; nil for none.
    package var trailers: Headers? { fields.isEmpty ? nil : Headers(fields) }

    /// Takes bytes and gives the data of each chunk in them.
    package mutating func push(_ bytes: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var at = 0
        while at < bytes.count {
            switch state {
            case .data(let left):
                let length = min(left, bytes.count - at)
                pieces.append(Array(bytes[at..<(at + length)]))
                at += length
                state = length == left ? .dataEnd : .data(left - length)
            case .finished, .failed: return pieces
            default:
                step(bytes[at])
                at += 1
            }
        }
        return pieces
    }

    /// A byte between the data of chunks.
    private mutating func step(_ byte: UInt8) {
        let isLineEnd = byte == UInt8(ascii: "\n")
        lineBytes += 1
        if lineBytes > Self.limit { return state = .failed }
        switch state {
        case .size(let size, let digits): take(byte, size, digits)
        case .line(let size): if isLineEnd { start(size) }
        case .dataEnd:
            if isLineEnd {
                lineBytes = 0
                state = .size(0, digits: 0)
            } else if byte != UInt8(ascii: "\r") {
                state = .failed
            }
        case .trailer(let line):
            if isLineEnd { end(line + [byte]) } else { state = .trailer(line + [byte]) }
        case .data, .finished, .failed: break
        }
    }

    private mutating func take(_ byte: UInt8, _ size: Int, _ digits: Int) {
        if let digit = BodyCuts.digit(byte) {
            let (high, isOver) = size.multipliedReportingOverflow(by: 16)
            state = isOver ? .failed : .size(high + digit, digits: digits + 1)
        } else if digits == 0 {
            state = .failed
        } else if byte == UInt8(ascii: "\n") {
            start(size)
        } else {
            state = .line(size)
        }
    }

    private mutating func start(_ size: Int) {
        if size > 0 { lineBytes = 0 }
        state = size == 0 ? .trailer([]) : .data(size)
    }

    private mutating func end(_ line: [UInt8]) {
        let text = FieldLine.withoutEnd(line)
        if text.isEmpty { return state = .finished }
        if FieldLine.isFolded(text) {
            FieldLine.unfold(text, into: &fields)
        } else {
            fields.append(FieldLine.field(text))
        }
        state = .trailer([])
    }
}
