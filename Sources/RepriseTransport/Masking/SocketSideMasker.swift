internal import RepriseTape
internal import RepriseWire

/// Masks the frames of one side of a WebSocket as they come: each message is a body of its own,
/// whose pieces are its frames.
///
/// A deflated message stays as on the wire until its first possible secret; from that frame on it
/// is stored inflated, with the same cuts. So is all that its sender deflates later, unless windows
/// are forgotten between messages: a reader of the tape no longer has the window it refers to. What
/// does not inflate is left to ``UndecodedMasker``.
struct SocketSideMasker {
    /// A frame, the masks in its payload, and frames about earlier ones.
    typealias Masked = (record: SocketFrameRecord, output: BodyMasker.Output)

    private enum Message {
        case plain(BodyMasker)
        case deflated(BodyMasker, isInflated: Bool)
        /// What a reader does not take for content.
        case undecoded(UndecodedMasker)
    }

    /// Flags and opcode, which stand before the bytes in a frame's payload.
    private static let headSize = 2
    /// How many bytes a frame may inflate to; more cannot be decoded.
    private static let outputLimit = 32 << 20

    private let paths: [String]
    /// For a body of which nothing came yet.
    private let fresh: BodyMasker
    /// nil where messages may not be deflated.
    private let inflater: MessageInflater?
    private let keepsWindow: Bool
    /// Whether a message was stored inflated that later ones refer to.
    private var isInflated = false
    private var message: Message?

    /// - Parameter paths: Where messages of that side hold secrets.
    init(_ sender: WebSocketRole, deflate: PerMessageDeflate?, paths: [String]) {
        self.paths = paths
        fresh = BodyMasker(mediaType: nil, paths: paths)
        inflater = deflate?.inflater(of: sender)
        keepsWindow = deflate?.noContextTakeover(of: sender) == false
    }

    /// Masks the next frame of the side, which becomes frame `frame` of the tape.
    mutating func push(
        _ record: SocketFrameRecord, frame: UInt64, table: inout SecretTable
    ) -> Masked {
        var masked = pushUnmoved(record, frame: frame, table: &table)
        masked.output.move(by: SocketSideMasker.headSize)
        return masked
    }

    /// Masks the payload of a frame that did not come whole, which stays as on the wire and becomes,
    /// behind its head, frame `frame` of the tape. Nothing of the side follows.
    mutating func push(
        _ begun: UnfinishedFrame, frame: UInt64, table: inout SecretTable
    ) -> BodyMasker.Output {
        let record = begun.record
        var output: BodyMasker.Output
        if isDeflated(record) {
            var masker = UndecodedMasker(paths: paths, isText: false)
            output = masker.push(record.bytes, frame: frame, table: &table)
        } else {
            let masked = pushUnmoved(record, frame: frame, table: &table)
            output = masked.output
            output.bytes = masked.record.bytes
        }
        output.corrections += endMessage(table: &table)
        output.move(by: SocketSideMasker.headSize, or: begun.head.count, of: frame)
        return output
    }

    /// Whether the payload of a frame is part of a deflated message.
    private func isDeflated(_ record: SocketFrameRecord) -> Bool {
        if record.frame.opcode.isControl { return false }
        guard record.frame.opcode == .continuation else { return record.flags.contains(.rsv1) }
        if case .deflated = message { return true }
        return false
    }

    private mutating func pushUnmoved(
        _ record: SocketFrameRecord, frame: UInt64, table: inout SecretTable
    ) -> Masked {
        let opcode = record.frame.opcode
        return opcode.isControl || opcode.isReserved
            ? pushAlone(record, frame: frame, table: &table)
            : pushData(record, frame: frame, table: &table)
    }

    /// What is known of a message that does not go on.
    mutating func finish(table: inout SecretTable) -> [FrameContent] {
        endMessage(table: &table).map { $0.moved(by: SocketSideMasker.headSize) }
    }

    /// Masks a frame that belongs to no message.
    private func pushAlone(
        _ record: SocketFrameRecord, frame: UInt64, table: inout SecretTable
    ) -> Masked {
        // The code of a close frame is no text.
        let start = record.frame.opcode == .close ? min(2, record.bytes.count) : 0
        var masked = record
        if record.isUnusual {
            var masker = UndecodedMasker(paths: paths, isText: true)
            var output = masker.push(record.bytes, from: start, frame: frame, table: &table)
            output.corrections += masker.finish(table: &table)
            masked.bytes = output.bytes
            return (masked, output)
        }
        var masker = fresh
        var output = masker.push(Array(record.bytes[start...]), frame: frame, table: &table)
        output.corrections += masker.finish(table: &table)
        output.move(by: start)
        masked.bytes.replaceSubrange(start..., with: output.bytes)
        return (masked, output)
    }
}

// MARK: - Messages

extension SocketSideMasker {
    private mutating func pushData(
        _ record: SocketFrameRecord, frame: UInt64, table: inout SecretTable
    ) -> Masked {
        let earlier = open(record, table: &table)
        var masked = pushPart(record, frame: frame, table: &table)
        masked.output.corrections = earlier + masked.output.corrections
        if record.flags.contains(.fin) {
            masked.output.corrections += endMessage(table: &table)
        }
        return masked
    }

    /// Opens the message that a frame begins: what is known of one that it breaks off.
    private mutating func open(
        _ record: SocketFrameRecord, table: inout SecretTable
    ) -> [FrameContent] {
        if record.frame.opcode == .continuation {
            // What continues nothing may be the rest of anything.
            if message == nil {
                message = .undecoded(UndecodedMasker(paths: paths, isText: true))
            }
            return []
        }
        if case .deflated = message { inflater?.abandon() }
        let contents = endMessage(table: &table)
        message =
            if !record.flags.contains(.rsv1) {
                .plain(fresh)
            } else if let inflater, !inflater.isLost {
                .deflated(fresh, isInflated: isInflated)
            } else {
                .undecoded(UndecodedMasker(paths: paths, isText: inflater == nil))
            }
        return contents
    }

    private mutating func endMessage(table: inout SecretTable) -> [FrameContent] {
        switch message.take() {
        case .plain(var masker), .deflated(var masker, _): masker.finish(table: &table)
        case .undecoded(var masker): masker.finish(table: &table)
        case nil: []
        }
    }

    private mutating func pushPart(
        _ record: SocketFrameRecord, frame: UInt64, table: inout SecretTable
    ) -> Masked {
        // No second reference while it is changed, or its arrays would be copied.
        switch message.take() {
        case .plain(var masker):
            if record.isUnusual, !UndecodedMasker.isText(record.bytes) {
                return pushUndecoded(
                    record, masker.finish(table: &table), frame: frame, table: &table)
            }
            var masked = record
            let output = masker.push(record.bytes, frame: frame, table: &table)
            masked.bytes = output.bytes
            message = .plain(masker)
            return (masked, output)
        case .deflated(let masker, let isInflated):
            return pushDeflated(
                record, masker, isInflated: isInflated, frame: frame, table: &table)
        case .undecoded(var masker):
            var masked = record
            let output = masker.push(record.bytes, frame: frame, table: &table)
            masked.bytes = output.bytes
            message = .undecoded(masker)
            return (masked, output)
        case nil: return (record, BodyMasker.Output(bytes: []))
        }
    }

    /// Masks a frame whose bytes from `start` on mean nothing to a reader, and so what follows it
    /// in the message; `known` is what is known of earlier frames.
    private mutating func pushUndecoded(
        _ record: SocketFrameRecord, from start: Int = 0, _ known: [FrameContent], frame: UInt64,
        table: inout SecretTable
    ) -> Masked {
        var masker = UndecodedMasker(paths: paths, isText: false)
        var masked = record
        var output = masker.push(record.bytes, from: start, frame: frame, table: &table)
        output.corrections = known + output.corrections
        masked.bytes = output.bytes
        message = .undecoded(masker)
        return (masked, output)
    }
}

// MARK: - Deflated messages

extension SocketSideMasker {
    private mutating func pushDeflated(
        _ record: SocketFrameRecord, _ masker: BodyMasker, isInflated: Bool, frame: UInt64,
        table: inout SecretTable
    ) -> Masked {
        var masker = masker
        var plain: [UInt8] = []
        let (fault, looked) = inflate(record, into: &plain)
        if fault == .tooLarge {
            return pushUndecoded(record, masker.finish(table: &table), frame: frame, table: &table)
        }
        var output = masker.push(plain, frame: frame, table: &table)
        let isVerbatim =
            !isInflated && output.spans.isEmpty
            && table.trie.matches(in: Array(record.bytes[..<looked])).isEmpty
        if fault != nil {
            output.corrections += masker.finish(table: &table)
            if isVerbatim {
                return pushUndecoded(
                    record, from: looked, output.corrections, frame: frame, table: &table)
            }
            message = .undecoded(UndecodedMasker(paths: paths, isText: false))
        } else {
            message = .deflated(masker, isInflated: !isVerbatim)
        }
        if isVerbatim { return (record, output) }
        self.isInflated = keepsWindow
        var stored = record
        stored.bytes = output.bytes
        stored.flags.formUnion(fault == nil ? .inflated : [.inflated, .corrupt])
        return (stored, output)
    }

    /// What is wrong with a frame of a deflated message, and how many bytes of it were looked at.
    private func inflate(
        _ record: SocketFrameRecord, into plain: inout [UInt8]
    ) -> (fault: MessageInflater.Fault?, looked: Int) {
        do throws(MessageInflater.Fault) {
            try inflater?.push(record.bytes, into: &plain, limit: SocketSideMasker.outputLimit)
        } catch {
            return (error, inflater?.faultOffset ?? 0)
        }
        guard record.flags.contains(.fin) else { return (nil, record.bytes.count) }
        do throws(MessageInflater.Fault) {
            try inflater?.finish(into: &plain, limit: SocketSideMasker.outputLimit)
        } catch {
            return (error, record.bytes.count)
        }
        return (nil, record.bytes.count)
    }
}

extension SocketFrameRecord {
    /// Whether something is set that RFC 6455 and RFC 7692 do not allow there, so that the payload
    /// may be coded in a way that nobody agreed on.
    fileprivate var isUnusual: Bool {
        let opcode = frame.opcode
        let opensMessage = opcode == .text || opcode == .binary
        return !flags.isDisjoint(with: [.rsv2, .rsv3]) || opcode.isReserved
            || flags.contains(.rsv1) && !opensMessage
    }
}

extension BodyMasker.Output {
    /// Puts all of it `count` bytes further back in the payloads of its frames.
    ///
    /// - Parameters:
    ///   - own: How many bytes where it is about frame `frame`, whose own output it is; by default
    ///     as many.
    fileprivate mutating func move(by count: Int, or own: Int? = nil, of frame: UInt64 = .max) {
        for index in spans.indices {
            let range = spans[index].range
            let count = own ?? count
            spans[index].range = range.lowerBound + count..<range.upperBound + count
        }
        corrections = corrections.map { content in
            content.moved(by: content.maskedFrame == frame ? own ?? count : count)
        }
    }
}

extension FrameContent {
    /// The number of the frame that a mask or its end is about.
    fileprivate var maskedFrame: UInt64? {
        switch self {
        case .masked(let record): record.frame
        case .reveal(let record): record.frame
        default: nil
        }
    }

    fileprivate func moved(by count: Int) -> FrameContent {
        switch self {
        case .masked(var record):
            record.offset += count
            return .masked(record)
        case .reveal(var record):
            record.offset += count
            return .reveal(record)
        default: return self
        }
    }
}
