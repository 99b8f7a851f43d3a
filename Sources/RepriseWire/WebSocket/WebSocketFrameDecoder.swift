/// An incremental reader of one direction of a WebSocket (RFC 6455 section 5.2): bytes behind the
/// handshake in, in any pieces, frames out.
///
/// It judges only what a ``WebSocketFrame`` no longer shows (mask, form of the length, size);
/// ``WebSocketReader`` judges the frames.
public struct WebSocketFrameDecoder: Sendable {
    /// What comes out.
    public enum Item: Sendable, Hashable {
        /// A frame, and where its bytes are in the direction's bytes.
        case frame(WebSocketFrame, bytes: Range<Int>)
        /// What is wrong; nothing comes out behind it.
        case violation(WebSocketViolation)
    }

    /// Which end sends the bytes.
    public let sender: WebSocketRole
    /// How many bytes were pushed.
    public private(set) var count = 0
    /// How many frames came out.
    public private(set) var frames = 0
    /// The beginning of a frame whose end did not come yet, once its head is complete. With it a
    /// reader can fail before the frame ends.
    public private(set) var partial: WebSocketFrame?

    private let limit: Int
    private var hasFailed = false
    /// The bytes of the head of the frame under way; at most 14.
    private var head: [UInt8] = []
    private var start = 0
    private var mask: UInt32 = 0
    /// How many bytes of the payload are to come.
    private var missing = 0

    /// A decoder at the start of the bytes of `sender`.
    public init(sender: WebSocketRole, limits: WebSocketLimits = WebSocketLimits()) {
        self.sender = sender
        limit = limits.frameBytes
    }

    /// Takes the next bytes and gives the frames that they complete.
    public mutating func push(_ bytes: [UInt8]) -> [Item] {
        var items: [Item] = []
        let span = bytes.span
        var index = 0
        while !hasFailed {
            if partial == nil {
                guard index < span.count else { break }
                takeHead(span, &index, into: &items)
            } else if missing > 0 {
                guard index < span.count else { break }
                takePayload(span, &index)
            }
            if missing == 0, let frame = partial {
                partial = nil
                head.removeAll(keepingCapacity: true)
                frames += 1
                items.append(.frame(frame, bytes: start..<count + index))
            }
        }
        count += bytes.count
        return items
    }

    /// Takes a byte of the head.
    private mutating func takeHead(
        _ bytes: Span<UInt8>, _ index: inout Int, into items: inout [Item]
    ) {
        if head.isEmpty { start = count + index }
        head.append(bytes[index])
        index += 1
        guard head.count >= 2 else { return }
        if let kind = maskFault {
            fail(kind, offset: start + 1, into: &items)
        } else if head.count == headCount {
            openFrame(into: &items)
        }
    }

    private var maskFault: WebSocketViolation.Kind? {
        switch (sender, head[1] & 0x80 != 0) {
        case (.client, false): .notMasked
        case (.server, true): .masked
        default: nil
        }
    }

    private var lengthCount: Int {
        switch head[1] & 0x7F {
        case 126: 2
        case 127: 8
        default: 0
        }
    }

    private var headCount: Int { 2 + lengthCount + (sender == .client ? 4 : 0) }

    private mutating func openFrame(into items: inout [Item]) {
        let form = lengthCount
        let length = form == 0 ? UInt64(head[1] & 0x7F) : Self.number(head[2..<2 + form])
        mask = sender == .client ? UInt32(Self.number(head[(2 + form)...])) : 0
        let bits = head[0]
        if length >> 63 != 0 {
            fail(.lengthBits, offset: start + 2, into: &items)
        } else if form == 2 && length < 126 || form == 8 && length < 65_536 {
            fail(.lengthForm, offset: start + 1, into: &items)
        } else if length > UInt64(max(0, limit)) {
            let detail = "\(length) bytes, the limit is \(limit)"
            fail(.frameTooLarge, offset: start + 1, detail, into: &items)
        } else {
            missing = Int(length)
            partial = WebSocketFrame(
                WebSocketFrame.Opcode(rawValue: bits), isFinal: bits & 0x80 != 0,
                rsv1: bits & 0x40 != 0, rsv2: bits & 0x20 != 0, rsv3: bits & 0x10 != 0)
        }
    }

    private mutating func takePayload(_ bytes: Span<UInt8>, _ index: inout Int) {
        let range = index..<index + min(missing, bytes.count - index)
        partial?.payload.append(bytes, range, mask: &mask)
        missing -= range.count
        index = range.upperBound
    }

    private mutating func fail(
        _ kind: WebSocketViolation.Kind, offset: Int, _ detail: String = "",
        into items: inout [Item]
    ) {
        hasFailed = true
        partial = nil
        head = []
        items.append(
            .violation(
                WebSocketViolation(kind, frame: frames, offset: offset, detail: detail)))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// How many bytes belong to a frame that did not end: what is lost when none follows.
    public var unfinished: Int { head.isEmpty ? 0 : count - start }

    /// The bytes of a frame that did not end, as they are on the wire.
    public var unfinishedBytes: [UInt8] {
        var bytes = head
        guard let payload = partial?.payload else { return bytes }
        var mask = sender == .client ? UInt32(Self.number(head.suffix(4))) : 0
        bytes.append(payload.span, payload.indices, mask: &mask)
        return bytes
    }
}

extension [UInt8] {
    /// Appends a part of `bytes`, each with the next byte of `mask` (the highest first), and turns
    /// the mask to where it goes on (RFC 6455 section 5.3).
    mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>, mask: inout UInt32) {
        let start = count
        append(bytes, range)
        guard mask != 0 else { return }
        var rest = mutableSpan
        var index = start
        // Turning by whole words changes nothing.
        let word = UInt64(mask) << 32 | UInt64(mask)
        while index + 8 <= rest.count {
            for byte in 0..<8 {
                rest[index + byte] ^= UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * byte))
            }
            index += 8
        }
        while index < rest.count {
            rest[index] ^= UInt8(mask >> 24)
            mask = mask << 8 | mask >> 24
            index += 1
        }
    }
}
