internal import RepriseTape

/// Masks one body as it comes, piece by piece, holding nothing back: declared JSON values, and
/// every known secret, also across the pieces.
///
/// A tail that may begin a known secret is masked provisionally from its sixth byte on. Fewer bytes
/// stay: they give nothing of a secret away that a search for 8 bytes of it would find, and in
/// ordinary text nearly every piece ends with a byte or two that some secret begins with.
struct BodyMasker: Sendable {
    /// From which length on a possible beginning of a secret is masked.
    static let provisionalLength = 6

    /// A masked piece, and what is now known of earlier ones.
    struct Output {
        var bytes: [UInt8]
        /// What is masked in it, by offset.
        var spans: [MaskSpan] = []
        /// `masked` and `reveal` frames about earlier pieces.
        var corrections: [FrameContent] = []
    }

    /// A part of an earlier piece that was masked provisionally.
    private struct Pending {
        var frame: UInt64
        /// Where in the piece.
        var offset: Int
        /// Where in the body.
        var position: Int
        /// What stood there.
        var bytes: [UInt8]
    }

    private var stream: MaskStream
    private var scanner = KnownScanner()
    /// Bytes of all earlier pieces.
    private var position = 0
    /// Whether the last byte is masked.
    private var isBehindMask = false
    /// The parts of the open declared secret in earlier pieces.
    private var openParts: [(frame: UInt64, range: Range<Int>)] = []
    private var pending: [Pending] = []
    /// Of the piece at hand: what each byte is, and whether it is masked.
    private var lexed: [LexedByte] = []
    private var claimed: [Bool] = []

    init(mediaType: String?, paths: [String]) {
        stream = MaskStream(mediaType: mediaType, paths: PathSet(paths))
    }

    /// Masks the next piece, which becomes the payload of frame `frame`.
    mutating func push(_ bytes: [UInt8], frame: UInt64, table: inout SecretTable) -> Output {
        var output = Output(bytes: bytes)
        let found = scan(bytes, frame: frame, table: &table, output: &output)
        let floor = scanner.openTail(
            atLeast: BodyMasker.provisionalLength, end: position + bytes.count)
        resolvePending(found.known, openFrom: floor ?? .max, &output)
        if !found.declared.isEmpty || !found.known.isEmpty || floor != nil {
            mask(found, floor: floor, frame: frame, &output)
        } else if !bytes.isEmpty {
            isBehindMask = false
        }
        position += bytes.count
        return output
    }

    /// What is known at the end of the body: a declared number may end there, and a tail that was
    /// masked provisionally stays so, since nothing spoke against it.
    mutating func finish(table: inout SecretTable) -> [FrameContent] {
        var output = Output(bytes: [])
        var declared: [MaskSpan] = []
        stream.finish()
        if let leaf = stream.takeFinished() {
            close(leaf, parts: [], &declared, table: &table, &output)
        }
        for part in pending {
            let span = MaskSpan(
                range: part.offset..<part.offset + part.bytes.count, rule: "known")
            output.corrections.append(.masked(span.record(frame: part.frame)))
        }
        pending = []
        return output.corrections
    }
}

// MARK: - Finding

extension BodyMasker {
    private struct Found {
        /// Parts of declared secrets in this piece.
        var declared: [MaskSpan] = []
        /// Known secrets that ended in this piece, by position in the body.
        var known: [(range: Range<Int>, secret: Int)] = []
    }

    private mutating func scan(
        _ bytes: [UInt8], frame: UInt64, table: inout SecretTable, output: inout Output
    ) -> Found {
        var found = Found()
        /// The parts of the open declared secret in this piece.
        var parts: [Range<Int>] = []
        lexed.removeAll(keepingCapacity: true)
        for index in bytes.indices {
            let byte = stream.step(bytes[index])
            if stream.hasFinished, let leaf = stream.takeFinished() {
                close(leaf, parts: parts, &found.declared, table: &table, &output)
                parts = []
            }
            lexed.append(byte)
            if byte.isSecret { BodyMasker.extend(&parts, with: index) }
            if let match = scanner.step(bytes[index], at: position + index, in: table.trie) {
                let number = table.number(of: match.secret)
                found.known.append((match.start..<position + index + 1, number))
            }
        }
        if let rule = stream.openRule {
            found.declared += parts.map { MaskSpan(range: $0, rule: rule) }
            openParts += parts.map { (frame, $0) }
        }
        return found
    }

    private static func extend(_ parts: inout [Range<Int>], with index: Int) {
        if let last = parts.last, last.upperBound == index {
            parts[parts.count - 1] = last.lowerBound..<index + 1
        } else {
            parts.append(index..<index + 1)
        }
    }

    /// A declared secret is complete: numbers it, in earlier pieces as well.
    private mutating func close(
        _ leaf: SecretLeaf, parts: [Range<Int>], _ declared: inout [MaskSpan],
        table: inout SecretTable, _ output: inout Output
    ) {
        let number = leaf.value.map { table.number(of: table.place(of: $0)) }
        declared += parts.map { MaskSpan(range: $0, rule: leaf.rule, secret: number) }
        if number != nil {
            output.corrections += openParts.map { part in
                let span = MaskSpan(range: part.range, rule: leaf.rule, secret: number)
                return .masked(span.record(frame: part.frame))
            }
        }
        openParts = []
    }
}

// MARK: - Masking

extension BodyMasker {
    private mutating func mask(
        _ found: Found, floor: Int?, frame: UInt64, _ output: inout Output
    ) {
        claimed = [Bool](repeating: false, count: lexed.count)
        for span in found.declared { claim(span, &output) }
        for match in found.known {
            claim(
                MaskSpan(range: inPiece(match.range), rule: "known", secret: match.secret), &output)
        }
        if let floor {
            let start = output.spans.count
            let range = inPiece(floor..<position + lexed.count)
            claim(MaskSpan(range: range, rule: "known", isProvisional: true), &output)
            for span in output.spans[start...] {
                pending.append(
                    Pending(
                        frame: frame, offset: span.range.lowerBound,
                        position: position + span.range.lowerBound,
                        bytes: Array(output.bytes[span.range])))
            }
        }
        for index in claimed.indices where claimed[index] {
            output.bytes[index] = lexed[index].mask
        }
        output.spans.sort { $0.range.lowerBound < $1.range.lowerBound }
        isBehindMask = claimed.last ?? isBehindMask
    }

    /// The part of a range of the body that is in this piece.
    private func inPiece(_ range: Range<Int>) -> Range<Int> {
        let start = max(0, range.lowerBound - position)
        return start..<max(start, range.upperBound - position)
    }

    /// Masks what may be masked of `span` and is not yet.
    private mutating func claim(_ span: MaskSpan, _ output: inout Output) {
        var parts: [Range<Int>] = []
        for index in span.range where !claimed[index] && !lexed[index].isKept {
            let isBehind = index == 0 ? isBehindMask : claimed[index - 1]
            if lexed[index].isRest && !isBehind { continue }
            claimed[index] = true
            BodyMasker.extend(&parts, with: index)
        }
        output.spans += parts.map { part in
            var partial = span
            partial.range = part
            return partial
        }
    }

    private enum Fate: Equatable {
        case open
        case known(Int)
        case harmless
    }

    /// Tells for what was masked provisionally whether it was a secret, where that is decided.
    ///
    /// - Parameter openFrom: Position from which on it is not.
    private mutating func resolvePending(
        _ known: [(range: Range<Int>, secret: Int)], openFrom floor: Int, _ output: inout Output
    ) {
        if pending.isEmpty { return }
        let decided = pending
        pending = []
        for part in decided { resolve(part, known, openFrom: floor, &output) }
    }

    private mutating func resolve(
        _ part: Pending, _ known: [(range: Range<Int>, secret: Int)], openFrom floor: Int,
        _ output: inout Output
    ) {
        let fates = part.bytes.indices.map { index -> Fate in
            let position = part.position + index
            if let match = known.first(where: { $0.range.contains(position) }) {
                return .known(match.secret)
            }
            return position >= floor ? .open : .harmless
        }
        if fates.allSatisfy({ $0 == .open }) { return pending.append(part) }
        var start = 0
        for index in fates.indices
        where index + 1 == fates.count || fates[index + 1] != fates[start] {
            settle(part, start..<index + 1, fates[start], &output)
            start = index + 1
        }
    }

    private mutating func settle(
        _ part: Pending, _ range: Range<Int>, _ fate: Fate, _ output: inout Output
    ) {
        let bytes = Array(part.bytes[range])
        let offset = part.offset + range.lowerBound
        var span = MaskSpan(range: offset..<offset + bytes.count, rule: "known")
        switch fate {
        case .harmless:
            let reveal = RevealRecord(frame: part.frame, offset: offset, bytes: bytes)
            return output.corrections.append(.reveal(reveal))
        case .known(let secret): span.secret = secret
        case .open:
            span.isProvisional = true
            pending.append(
                Pending(
                    frame: part.frame, offset: offset, position: part.position + range.lowerBound,
                    bytes: bytes))
        }
        output.corrections.append(.masked(span.record(frame: part.frame)))
    }
}
