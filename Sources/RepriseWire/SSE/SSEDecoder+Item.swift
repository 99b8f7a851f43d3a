extension SSEDecoder {
    /// What a stream holds. Offsets count bytes of the stream; an `end` is behind the first byte
    /// of the line end that completed the item.
    public enum Item: Sendable, Hashable {
        /// An event.
        case event(Event)
        /// A comment line, often a heartbeat.
        case comment(Comment)
        /// A reconnection time.
        case retry(Retry)
        /// A line with a field name that the standard does not know, and ignores.
        case unknownField(UnknownField)
        /// Something odd.
        case remark(Remark)
    }

    /// An event that is dispatched.
    public struct Event: Sendable, Hashable {
        /// The `event` field; `message` where it is absent or empty.
        public var type: String
        /// The UTF-8 bytes of ``data``.
        public var dataBytes: [UInt8]
        /// The `id` field of this or the last event before it that had one.
        public var lastEventID: String
        /// Offset of the event's first line.
        public var start: Int
        /// Offset behind the first byte of the blank line's end.
        public var end: Int
        /// Offset of each data line's value.
        var lineStarts: LineStarts

        /// The `data` lines joined by LF, with U+FFFD for what is not UTF-8.
        public var data: String { String(decoding: dataBytes, as: UTF8.self) }

        /// Where in the stream the byte at `index` of ``dataBytes`` stood; of the LF between two
        /// lines, the end of the first. O(n). Exact where the line was valid UTF-8.
        public func offset(ofDataByte index: Int) -> Int {
            let before = dataBytes.prefix(max(0, index))
            let lines = before.reduce(into: 0) { $0 += $1 == 0x0A ? 1 : 0 }
            let lineIndex = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            return lineStarts[lines] + index - lineIndex
        }
    }

    /// A comment line.
    public struct Comment: Sendable, Hashable {
        /// The text behind the colon, without one blank at its start.
        public var text: String
        /// Offset of the colon.
        public var start: Int
        /// Offset behind the first byte of the line's end.
        public var end: Int
    }

    /// A reconnection time.
    public struct Retry: Sendable, Hashable {
        /// The time in milliseconds; the largest number where it is too large for one.
        public var milliseconds: Int
        /// Offset of the line.
        public var start: Int
        /// Offset behind the first byte of the line's end.
        public var end: Int
    }

    /// A line that the standard ignores.
    public struct UnknownField: Sendable, Hashable {
        /// What stands before the first colon, or the whole line.
        public var name: String
        /// Offset of the line.
        public var start: Int
        /// Offset behind the first byte of the line's end.
        public var end: Int
    }

    /// Something odd in a stream.
    public struct Remark: Sendable, Hashable {
        /// What it is.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The stream ended inside an event, which is dropped.
            case unfinishedEvent
            /// A line that is not UTF-8; read with U+FFFD.
            case invalidUTF8
            /// A byte order mark at the start of a line that is not the first: part of a name.
            case byteOrderMark
            /// An `id` with a NUL, which is ignored.
            case nulInID
            /// A `retry` that is not digits, which is ignored.
            case retryNotDigits
            /// A data line whose value begins with a colon, as if a comment had been meant.
            case commentAsData
            /// A block with a type or an id and no data, which dispatches nothing.
            case eventWithoutData
            /// The first line end that is not like the first of the stream.
            case mixedLineEnds
            /// An event or line above the size limit, which is dropped.
            case eventTooLarge
        }

        /// What it is.
        public var kind: Kind
        /// Offset of the first byte that it is about.
        public var start: Int
        /// Offset behind the last.
        public var end: Int
    }

    /// Offsets, of which nearly always there is one.
    struct LineStarts: Sendable, Hashable {
        private var first = 0
        private var more: [Int] = []
        private(set) var count = 0

        subscript(_ line: Int) -> Int {
            line > 0 && line <= more.count ? more[line - 1] : first
        }

        mutating func append(_ offset: Int) {
            if count == 0 { first = offset } else { more.append(offset) }
            count += 1
        }
    }
}
