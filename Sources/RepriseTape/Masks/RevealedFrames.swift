/// The items of a tape in their order, with what was masked provisionally restored where a `reveal`
/// says that it was no secret.
///
/// Bounded: a body or socket frame is held until the frame behind its `masked` frames, and then
/// while one of its masks is open; but no longer than its exchange lasts, and no more than
/// ``windowSize`` bytes are held. What is then still open stays masked, and ``Revealed/open`` says
/// so. Not thread-safe.
package final class RevealedFrames {
    /// How many bytes of payloads are held at most, with some for each frame.
    package static let windowSize = 1 << 20

    /// An item, and what of it nobody knows.
    package struct Revealed: Sendable, Hashable {
        package var item: TapeReader.Item
        /// Ranges of the payload that were masked provisionally and never decided: after a crash
        /// they stay masked.
        package var open: [Range<Int>] = []

        fileprivate var frame: Frame? { if case .frame(let frame) = item { frame } else { nil } }
        fileprivate var size: Int { 64 + (frame?.payload.count ?? 0) }
    }

    /// An item that waits for what may be said about it.
    private struct Held {
        var revealed: Revealed
        /// Whether `masked` frames may follow directly.
        var isFresh: Bool
        /// Whether its exchange is over, so that nothing more is said.
        var isOver = false

        var waits: Bool { isFresh || (!revealed.open.isEmpty && !isOver) }
    }

    private let reader: TapeReader
    private var held: ArraySlice<Held> = []
    private var heldBytes = 0
    private var isAtEnd = false
    /// What ended the reading; thrown when all that came before it is handed out.
    private var failure: TapeError?

    package init(_ reader: TapeReader) { self.reader = reader }

    /// What the reader found so far.
    package var summary: TapeSummary { reader.summary }

    /// The next item; nil at the end.
    ///
    /// - Throws: ``TapeError`` as ``TapeReader/next()`` does.
    package func next() throws(TapeError) -> Revealed? {
        while !isAtEnd, held.first?.waits ?? true, heldBytes <= Self.windowSize {
            do {
                if let item = try reader.next() { take(item) } else { isAtEnd = true }
            } catch {
                failure = error
                isAtEnd = true
            }
        }
        guard let first = held.popFirst() else {
            if let failure { throw failure }
            return nil
        }
        heldBytes -= first.revealed.size
        return first.revealed
    }

    private func take(_ item: TapeReader.Item) {
        var isFresh = false
        if case .frame(let frame) = item {
            switch frame.kind {
            case .masked, .reveal:
                apply(frame)
            case .requestBody, .responseBody, .decodedBody, .socketFrame:
                settle()
                isFresh = true
            default:
                settle()
                if frame.kind == .end { giveUp(frame.exchange) }
            }
        }
        let entry = Revealed(item: item)
        heldBytes += entry.size
        held.append(Held(revealed: entry, isFresh: isFresh))
    }

    /// A frame of another kind ends the run of `masked` frames behind the latest one.
    private func settle() {
        if let index = held.lastIndex(where: \.isFresh) { held[index].isFresh = false }
    }

    private func giveUp(_ exchange: UInt64) {
        for index in held.indices where held[index].revealed.frame?.exchange == exchange {
            held[index].isOver = true
        }
    }
}

extension RevealedFrames {
    /// Does what a `masked` or `reveal` frame says to the frame that it is about, if that is held;
    /// one that does not fit is left to whoever reads it.
    private func apply(_ frame: Frame) {
        switch try? frame.content() {
        case .masked(let record):
            change(record.frame, record.offset, count: record.length) { revealed, range in
                revealed.close(range)
                if record.provisional == true { revealed.open.append(range) }
            }
        case .reveal(let record):
            change(record.frame, record.offset, count: record.bytes.count) { revealed, range in
                revealed.close(range)
                revealed.restore(range, record.bytes)
            }
        default: break
        }
    }

    private func change(
        _ number: UInt64, _ offset: Int, count: Int, _ body: (inout Revealed, Range<Int>) -> Void
    ) {
        guard let index = held.lastIndex(where: { $0.revealed.frame?.number == number }),
            let size = held[index].revealed.frame?.payload.count, offset >= 0, count > 0,
            offset <= size, count <= size - offset
        else { return }
        body(&held[index].revealed, offset..<offset + count)
    }
}

extension RevealedFrames.Revealed {
    fileprivate mutating func close(_ range: Range<Int>) {
        open = open.flatMap { part in
            [
                part.lowerBound..<max(part.lowerBound, min(part.upperBound, range.lowerBound)),
                min(part.upperBound, max(part.lowerBound, range.upperBound))..<part.upperBound,
            ].filter { !$0.isEmpty }
        }
    }

    fileprivate mutating func restore(_ range: Range<Int>, _ bytes: [UInt8]) {
        guard case .frame(var frame) = item else { return }
        frame.payload.replaceSubrange(range, with: bytes)
        item = .frame(frame)
    }
}
