import RepriseWire
import Testing

/// Each rule by a stream that breaks it, and what is read around the fault.
struct ReaderRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var deflate: PerMessageDeflate?
        let frames: [WebSocketFrame]
        /// What comes out, in short form.
        let expected: [String]

        init(
            _ name: String, deflate: PerMessageDeflate? = nil, _ frames: [WebSocketFrame],
            _ expected: [String]
        ) {
            (self.name, self.deflate, self.frames, self.expected) = (
                name, deflate, frames, expected
            )
        }

        var testDescription: String { name }

        func reader() -> WebSocketReader {
            WebSocketReader(
                sender: .server, deflate: deflate, limits: WebSocketLimits(messageBytes: 300))
        }

        /// All that is read, frame by frame.
        var events: [WebSocketEvent] {
            let reader = reader()
            return frames.flatMap { reader.receive($0) } + reader.finish()
        }
    }

    static let close = WebSocketFrame(.close, [0x03, 0xE8])
    static let bye = "close 1000"

    static func text(_ text: String, isFinal: Bool = true) -> WebSocketFrame {
        WebSocketFrame(.text, Array(text.utf8), isFinal: isFinal)
    }

    static func more(_ text: String, isFinal: Bool = true) -> WebSocketFrame {
        WebSocketFrame(.continuation, Array(text.utf8), isFinal: isFinal)
    }

    static let framing: [Case] = [
        Case(
            "messages", [text("a"), WebSocketFrame(.binary, [0xFF]), text(""), close],
            ["text a 0-0", "binary 255 1-1", "text  2-2", bye]),
        Case(
            "fragments", [text("a", isFinal: false), more("b", isFinal: false), more("c"), close],
            ["text abc 0-2", bye]),
        Case(
            "empty fragments",
            [text("", isFinal: false), more("", isFinal: false), more(""), close],
            ["text  0-2", bye]),
        Case(
            "control frames between fragments",
            [
                text("a", isFinal: false), WebSocketFrame(.ping, [1]), more("b", isFinal: false),
                WebSocketFrame(.pong, []), more("c"), close,
            ],
            ["ping 1", "pong ", "text abc 0-4", bye]),
        Case("a close between fragments", [text("a", isFinal: false), close], [bye]),
        Case(
            "control frames of 125 bytes", [WebSocketFrame(.ping, filler(125)), close],
            ["ping \(filler(125).map(String.init).joined(separator: " "))", bye]),
        Case(
            "RSV2", [WebSocketFrame(.text, hello, rsv2: true), close],
            ["reservedBits 0", "text Hello 0-0", bye]),
        Case(
            "RSV3 on a ping", [WebSocketFrame(.ping, rsv3: true), close],
            ["reservedBits 0", "ping ", bye]),
        Case(
            "RSV1 without permessage-deflate",
            [text("a"), WebSocketFrame(.text, hello, rsv1: true), text("b"), close],
            ["text a 0-0", "deflateNotNegotiated 1", "text b 2-2", bye]),
        Case(
            "RSV1 on a control frame without permessage-deflate",
            [WebSocketFrame(.ping, rsv1: true), close], ["deflateNotNegotiated 0", "ping ", bye]),
        Case(
            "RSV1 on a continuation without permessage-deflate",
            [text("a", isFinal: false), WebSocketFrame(.continuation, [0x62], rsv1: true), close],
            ["deflateNotNegotiated 1", "text ab 0-1", bye]),
        Case(
            "RSV1 on a control frame", deflate: PerMessageDeflate(),
            [WebSocketFrame(.pong, rsv1: true), close], ["deflateMisplaced 0", "pong ", bye]),
        Case(
            "RSV1 on a continuation", deflate: PerMessageDeflate(),
            [text("a", isFinal: false), WebSocketFrame(.continuation, [0x62], rsv1: true), close],
            ["deflateMisplaced 1", "text ab 0-1", bye]),
        Case(
            "a reserved data opcode",
            [WebSocketFrame(.init(rawValue: 3), hello), text("a"), close],
            ["reservedOpcode 0", "text a 1-1", bye]),
        Case(
            "a reserved control opcode within a message",
            [text("a", isFinal: false), WebSocketFrame(.init(rawValue: 11)), more("b"), close],
            ["reservedOpcode 1", "text ab 0-2", bye]),
        Case(
            "a fragmented ping", [WebSocketFrame(.ping, [1], isFinal: false), text("a"), close],
            ["controlFragmented 0", "text a 1-1", bye]),
        Case(
            "a fragmented close", [WebSocketFrame(.close, [3, 0xE8], isFinal: false), close],
            ["controlFragmented 0", bye]),
        Case(
            "a ping of 126 bytes", [WebSocketFrame(.ping, filler(126)), close],
            ["controlTooLong 0", bye]),
        Case(
            "a continuation of nothing", [more("a"), text("b"), close],
            ["nothingToContinue 0", "text b 1-1", bye]),
        Case(
            "several continuations of nothing",
            [more("a", isFinal: false), more("b"), text("c"), close],
            ["nothingToContinue 0", "text c 2-2", bye]),
        Case(
            "a message within a message",
            [text("a", isFinal: false), text("b", isFinal: false), more("c"), close],
            ["messageInterrupted 1", "text bc 1-2", bye]),
    ]

    static let closing: [Case] = [
        Case("a close without a code", [WebSocketFrame(.close)], ["close nil"]),
        Case(
            "a close with a reason", [WebSocketFrame(.close, [0x0F, 0xA0] + hello)],
            ["close 4000 Hello"]),
        Case(
            "a close of one byte", [WebSocketFrame(.close, [0x03])],
            ["closeTooShort 0", "close nil"]),
        Case(
            "a reason that is not UTF-8", [WebSocketFrame(.close, [0x03, 0xE8, 0x41, 0xC3])],
            ["invalidReason 0@1", "close 1000 A\u{FFFD}"]),
        Case("text behind a close", [close, text("a")], [bye, "dataBehindClose 1"]),
        Case("a ping behind a close", [close, WebSocketFrame(.ping)], [bye]),
        Case("a close behind a close", [close, WebSocketFrame(.close, [1])], [bye]),
        Case("no close", [text("a")], ["text a 0-0", "closeMissing 1"]),
        Case("no close within a message", [text("a", isFinal: false)], ["closeMissing 1"]),
        Case("nothing at all", [], ["closeMissing 0"]),
    ]

    static let content: [Case] = [
        Case(
            "a character over two frames",
            [
                WebSocketFrame(.text, [0xC3], isFinal: false),
                WebSocketFrame(.continuation, [0xA9]),
                close,
            ], ["text é 0-1", bye]),
        Case(
            "text that ends within a character",
            [WebSocketFrame(.text, [0x41, 0xE2, 0x82]), close],
            ["invalidText 0@1", "text A\u{FFFD} 0-0 invalid", bye]),
        Case(
            "an overlong form", [WebSocketFrame(.text, [0xC0, 0xAF]), text("a"), close],
            ["invalidText 0@0", "text \u{FFFD}\u{FFFD} 0-0 invalid", "text a 1-1", bye]),
        Case(
            "a surrogate in the second frame",
            [
                text("abc", isFinal: false),
                WebSocketFrame(.continuation, [0x64, 0xED, 0xA0], isFinal: false),
                more("e"), close,
            ],
            ["invalidText 1@4", "text abcd\u{FFFD}\u{FFFD}e 0-2 invalid", bye]),
        Case(
            "above U+10FFFF", [WebSocketFrame(.text, [0xF4, 0x90, 0x80, 0x80]), close],
            ["invalidText 0@0", "text \(String(repeating: "\u{FFFD}", count: 4)) 0-0 invalid", bye]),
        Case(
            "noncharacters are characters", [text("\u{FFFF}\u{10FFFF}"), close],
            ["text \u{FFFF}\u{10FFFF} 0-0", bye]),
        Case(
            "binary is not checked", [WebSocketFrame(.binary, [0xC0]), close],
            ["binary 192 0-0", bye]),
        Case(
            "a message of just the limit",
            [WebSocketFrame(.text, [UInt8](repeating: 0x61, count: 300)), close],
            ["text \(String(repeating: "a", count: 300)) 0-0", bye]),
        Case(
            "a message above the limit",
            [
                WebSocketFrame(.binary, filler(200), isFinal: false),
                WebSocketFrame(.continuation, filler(101), isFinal: false), more("a"), text("b"),
                close,
            ],
            ["messageTooLarge 1", "text b 3-3", bye]),
    ]

    @Test(arguments: framing + closing + content)
    func reads(_ example: Case) {
        #expect(example.events.map(\.short) == example.expected)
    }

    /// Given in any pieces of frames, the same comes out: what is wrong when the bytes of it are
    /// there, not later.
    @Test(arguments: framing + closing + content)
    func readsTheSameInPiecesOfFrames(_ example: Case) {
        let reader = example.reader()
        var events: [WebSocketEvent] = []
        for frame in example.frames {
            for count in 0...frame.payload.count {
                var part = frame
                part.payload = Array(frame.payload[..<count])
                events += reader.receive(partial: part)
            }
            events += reader.receive(frame)
        }
        #expect((events + reader.finish()).map(\.short) == example.expected)
    }

    @Test func judgesEveryCloseCode() {
        for code in UInt16.min...UInt16.max {
            let reader = WebSocketReader(sender: .client, deflate: nil)
            let payload = [UInt8(code >> 8), UInt8(code & 0xFF)]
            let events = reader.receive(WebSocketFrame(.close, payload)).map(\.short)
            let isValid =
                (1000...1003).contains(code) || (1007...1014).contains(code)
                || (3000...4999).contains(code)
            if events != (isValid ? [] : ["closeCode 0"]) + ["close \(code)"] {
                Issue.record("\(code): \(events)")
            }
        }
    }

    /// RFC 6455 section 8.1: bytes that cannot be text fail a message before its frame ends.
    @Test func failsFastWithinAFrame() {
        let reader = WebSocketReader(sender: .client, deflate: nil)
        let valid = Array("κόσμε".utf8)
        let frame = WebSocketFrame(.text, valid)
        #expect(reader.receive(partial: frame).isEmpty)
        let events = reader.receive(
            partial: WebSocketFrame(.text, valid + [0xF4, 0x90]))
        #expect(events.map(\.short) == ["invalidText 0@\(valid.count)"])
    }

    @Test func everyKindHasItsRuleAndItsCode() {
        let rules: [WebSocketViolation.Kind: (String?, UInt16)] = [
            .reservedBits: ("ws.W1a", 1002), .reservedOpcode: ("ws.W1a", 1002),
            .notMasked: ("ws.W1b", 1002), .masked: ("ws.W1b", 1002),
            .lengthForm: ("ws.W1c", 1002), .lengthBits: ("ws.W1c", 1002),
            .controlTooLong: ("ws.W1c", 1002), .controlFragmented: ("ws.W1d", 1002),
            .nothingToContinue: ("ws.W1d", 1002), .messageInterrupted: ("ws.W1d", 1002),
            .closeTooShort: ("ws.W2a", 1002), .closeCode: ("ws.W2a", 1002),
            .dataBehindClose: ("ws.W2b", 1002), .closeMissing: ("ws.W2c", 1006),
            .invalidText: ("ws.W3a", 1007), .invalidReason: ("ws.W3b", 1007),
            .deflateNotNegotiated: ("ws.W5a", 1002), .deflateMisplaced: ("ws.W5a", 1002),
            .deflateCorrupt: ("ws.W5b", 1007), .frameTooLarge: (nil, 1009),
            .messageTooLarge: (nil, 1009),
        ]
        for kind in WebSocketViolation.Kind.allCases {
            let violation = WebSocketViolation(kind, frame: 0)
            #expect(violation.rule == rules[kind]?.0)
            #expect(violation.closeCode.rawValue == rules[kind]?.1)
            #expect(violation.description.hasSuffix("(frame 0)"))
        }
    }
}
