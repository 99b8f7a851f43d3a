/// Where the reads of a body, and the chunks in them, were cut.
///
/// libcurl writes one piece for each HTTP chunk in each read, except to a transfer that is paused:
/// what it reads then comes back later as one piece. It shows every read as it comes, though, and
/// from those this tells the pieces (RFC 9112 section 7.1).
///
/// States: in a chunk's size; in the rest of that line; in its data; in the line end after it;
/// after the last chunk. A body that is not chunked is one piece for each read.
package struct BodyCuts {
    private enum State {
        case size(Int)
        case line(Int)
        case data(Int)
        case dataEnd
        case finished
        /// Not chunked, or not what it said: from here on a read is a piece.
        case reads
    }

    private var state: State

    package init(isChunked: Bool) { state = isChunked ? .size(0) : .reads }

    /// The lengths of the pieces in a read, in order.
    package mutating func push(_ read: [UInt8]) -> [Int] {
        var pieces: [Int] = []
        var at = 0
        while at < read.count {
            switch state {
            case .data(let left):
                let length = min(left, read.count - at)
                pieces.append(length)
                at += length
                state = length == left ? .dataEnd : .data(left - length)
            case .reads:
                pieces.append(read.count - at)
                return pieces
            case .finished: return pieces
            case .size, .line, .dataEnd:
                step(read[at])
                at += 1
            }
        }
        return pieces
    }

    /// A byte between the data of chunks.
    private mutating func step(_ byte: UInt8) {
        let isLineEnd = byte == UInt8(ascii: "\n")
        switch state {
        case .size(let size):
            if let digit = Self.digit(byte) {
                let (high, isOver) = size.multipliedReportingOverflow(by: 16)
                state = isOver ? .reads : .size(high + digit)
            } else {
                state = isLineEnd ? Self.start(of: size) : .line(size)
            }
        case .line(let size) where isLineEnd: state = Self.start(of: size)
        case .dataEnd where isLineEnd: state = .size(0)
        default: break
        }
    }

    private static func start(of size: Int) -> State { size == 0 ? .finished : .data(size) }

    static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte) - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte) - 55
        default: nil
        }
    }
}
