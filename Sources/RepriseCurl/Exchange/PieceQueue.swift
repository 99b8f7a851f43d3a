internal import RepriseTransport

/// Cuts what libcurl writes into the pieces that the reads were made of.
struct PieceQueue {
    private struct Piece {
        var left: Int
        var time: Int64
    }

    private var cuts = BodyCuts(isChunked: false)
    private var pieces: [Piece] = []
    private var first = 0
    private var begun: [UInt8] = []

    init() {}

    init(isChunked: Bool) { cuts = BodyCuts(isChunked: isChunked) }

    /// A read came at `time`.
    mutating func read(_ bytes: [UInt8], at time: Int64) {
        if first == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            first = 0
        }
        for length in cuts.push(bytes) { pieces.append(Piece(left: length, time: time)) }
    }

    /// libcurl wrote; gives the pieces that are whole with it.
    mutating func write(_ bytes: [UInt8], now: Int64) -> [Delivery] {
        // Nearly always what is written is just one piece.
        if begun.isEmpty, first < pieces.count, pieces[first].left == bytes.count {
            defer { first += 1 }
            return [Delivery(bytes: bytes, time: pieces[first].time)]
        }
        var whole: [Delivery] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard first < pieces.count else {
                whole.append(Delivery(bytes: begun + rest, time: now))
                begun = []
                break
            }
            let length = min(pieces[first].left, rest.count)
            begun += rest.prefix(length)
            rest.removeFirst(length)
            pieces[first].left -= length
            if pieces[first].left > 0 { break }
            whole.append(Delivery(bytes: begun, time: pieces[first].time))
            begun = []
            first += 1
        }
        return whole
    }

    /// What is left of a piece that did not come whole.
    mutating func flush() -> Delivery? {
        guard !begun.isEmpty, first < pieces.count else { return nil }
        defer { begun = [] }
        return Delivery(bytes: begun, time: pieces[first].time)
    }
}
