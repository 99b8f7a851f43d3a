extension SSECase {
    static let all = standard + lineEnds + fields + remarks + marks + encodings

    /// The examples of the standard's section 9.2.6.
    static let standard: [SSECase] = [
        SSECase("data: YHOO\ndata: +2\ndata: 10\n\n", "message|YHOO\n+2\n10|"),
        SSECase(
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n",
            ":test stream", "message|first event|1", "message|second event|",
            "!unfinishedEvent 62 81"),
        SSECase(
            "data\n\ndata\ndata\n\ndata:", "message||", "message|\n|", "!unfinishedEvent 17 22"),
        SSECase("data:test\n\ndata: test\n\n", "message|test|", "message|test|"),
        SSECase(
            "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n",
            "add|73857293|", "remove|2153|"),
    ]

    static let lineEnds: [SSECase] = [
        SSECase(""), SSECase("\n"), SSECase("\r"), SSECase("\r\n"), SSECase("\n\n\n"),
        SSECase("\r\n\r\n"), SSECase("\r\r"),
        SSECase("data: a\n\n", "message|a|"), SSECase("data: a\r\r", "message|a|"),
        SSECase("data: a\r\n\r\n", "message|a|"),
        SSECase("data: a\r\n\r\ndata: b\r\n\r\n", "message|a|", "message|b|"),
        SSECase("data: a\r\rdata: b\r\r", "message|a|", "message|b|"),
        SSECase("\n\ndata: a\n\n\n\ndata: b\n\n\n", "message|a|", "message|b|"),
        SSECase("data: a\r\n\n", "!mixedLineEnds 9 10", "message|a|"),
        SSECase("data: a\n\r\n", "message|a|", "!mixedLineEnds 8 10"),
        SSECase("data: a\n\r", "message|a|", "!mixedLineEnds 8 9"),
        SSECase("data: a\n\rdata: b\n\n", "message|a|", "!mixedLineEnds 8 9", "message|b|"),
        SSECase("data: a\r\ndata: b\r\r\n", "!mixedLineEnds 16 17", "message|a\nb|"),
        SSECase("data: a\u{2028}b\u{2029}c\u{85}d\n\n", "message|a\u{2028}b\u{2029}c\u{85}d|"),
        SSECase("data: a\u{b}b\u{c}c\n\n", "message|a\u{b}b\u{c}c|"),
    ]

    static let fields: [SSECase] = [
        SSECase("data:a\n\n", "message|a|"), SSECase("data:  a\n\n", "message| a|"),
        SSECase("data:\ta\n\n", "message|\ta|"), SSECase("data: a \n\n", "message|a |"),
        SSECase("data:\n\n", "message||"), SSECase("data: \n\n", "message||"),
        SSECase("data:a:b: c\n\n", "message|a:b: c|"),
        SSECase("data: {\"a\": 1}\n\n", "message|{\"a\": 1}|"),
        SSECase("Data: a\n\n", "?Data"), SSECase("DATA:a\ndata:b\n\n", "?DATA", "message|b|"),
        SSECase(" data: a\n\n", "? data"), SSECase("data : a\n\n", "?data "),
        SSECase("foo: bar\n\n", "?foo"), SSECase("{\"error\":1}\n\n", "?{\"error\""),
        SSECase("event: x\ndata: a\n\ndata: b\n\n", "x|a|", "message|b|"),
        SSECase("event: x\nevent: y\ndata\n\n", "y||"),
        SSECase("event:\ndata: a\n\n", "message|a|"),
        SSECase("event: x\nevent\ndata: a\n\n", "message|a|"),
        SSECase("id: 1\ndata: a\n\ndata: b\n\n", "message|a|1", "message|b|1"),
        SSECase("id: 1\ndata: a\n\nid\ndata: b\n\n", "message|a|1", "message|b|"),
        SSECase("id: 1\ndata: a\n\nid:\ndata: b\n\n", "message|a|1", "message|b|"),
        SSECase("data: a\nid: 9\n\n", "message|a|9"), SSECase("id:  x \ndata\n\n", "message|| x "),
        SSECase("retry: 3000\n\n", "retry 3000"),
        SSECase("retry:0\ndata: a\n\n", "retry 0", "message|a|"),
        SSECase("retry: 007\n", "retry 7"),
        SSECase("retry: 99999999999999999999\n\n", "retry 9223372036854775807"),
        SSECase(": heartbeat\n\n", ":heartbeat"), SSECase(":\n", ":"), SSECase(":a\n", ":a"),
        SSECase(":  a\n", ": a"), SSECase("data: a\n: c\ndata: b\n\n", ":c", "message|a\nb|"),
        SSECase(
            ": heartbeat\n\ndata: {\"content\":\"Hi\"}\n\n: heartbeat\n\n",
            ":heartbeat", "message|{\"content\":\"Hi\"}|", ":heartbeat"),
        SSECase("data: heartbeat\n\n", "message|heartbeat|"),
        SSECase("data: [DONE]\n\n", "message|[DONE]|"),
    ]

    static let remarks: [SSECase] = [
        SSECase("data: a", "!unfinishedEvent 0 7"), SSECase("data: a\n", "!unfinishedEvent 0 8"),
        SSECase("data: a\r", "!unfinishedEvent 0 8"), SSECase("dat", "!unfinishedEvent 0 3"),
        SSECase("data: a\n\nid: 2", "message|a|", "!unfinishedEvent 9 14"),
        SSECase("data: a\n\nevent: x\n", "message|a|", "!unfinishedEvent 9 18"),
        SSECase(": hear"), SSECase("data: a\n\n: hear", "message|a|"),
        SSECase("data: a\n: hear", "!unfinishedEvent 0 14"), SSECase("retry: 1\n", "retry 1"),
        SSECase("id: a\0b\ndata: c\n\n", "!nulInID 0 7", "message|c|"),
        SSECase("id: 1\ndata\n\nid: \0\ndata\n\n", "message||1", "!nulInID 12 17", "message||1"),
        SSECase("data: a\0b\n\n", "message|a\0b|"),
        SSECase("retry: 3s\n\n", "!retryNotDigits 0 9"),
        SSECase("retry:\n\n", "!retryNotDigits 0 6"),
        SSECase("retry\n\n", "!retryNotDigits 0 5"),
        SSECase("retry: -1\n\n", "!retryNotDigits 0 9"),
        SSECase("retry: 1 \n\n", "!retryNotDigits 0 9"),
        SSECase("retry:  1\n\n", "!retryNotDigits 0 9"),
        SSECase("retry: \u{0661}\n\n", "!retryNotDigits 0 9"),
        SSECase("data: : heartbeat\n\n", "!commentAsData 6 17", "message|: heartbeat|"),
        SSECase("data:: x\n\n", "!commentAsData 5 8", "message|: x|"),
        SSECase("event: ping\n\n", "!eventWithoutData 0 12"),
        SSECase("id: 5\n\ndata: a\n\n", "!eventWithoutData 0 6", "message|a|5"),
        SSECase("event: ping\r\n\r\n", "!eventWithoutData 0 13"),
    ]

    static let marks: [SSECase] = [
        SSECase("\u{feff}data: a\n\n", "message|a|"), SSECase("\u{feff}"), SSECase("\u{feff}\n"),
        SSECase("\u{feff}: c\n", ":c"),
        SSECase("\u{feff}\u{feff}data: a\n\n", "?\u{feff}data"),
        SSECase(
            "data: a\n\n\u{feff}data: b\n\n", "message|a|", "!byteOrderMark 9 12", "?\u{feff}data"),
        SSECase("\n\u{feff}data: b\n\n", "!byteOrderMark 1 4", "?\u{feff}data"),
        SSECase("data: \u{feff}a\n\n", "message|\u{feff}a|"),
        SSECase(bytes: [0xEF, 0xBB, 0x0A], "!invalidUTF8 0 2", "?\u{fffd}"),
    ]

    static let encodings: [SSECase] = [
        SSECase("data: \u{e9}\u{20ac}\u{1f600}\n\n", "message|\u{e9}\u{20ac}\u{1f600}|"),
        SSECase(bytes: data([0xFF]), "!invalidUTF8 6 7", "message|\u{fffd}|"),
        SSECase(bytes: data([0x61, 0xE2, 0x82, 0x62]), "!invalidUTF8 7 10", "message|a\u{fffd}b|"),
        SSECase(bytes: data([0xE2, 0x82]), "!invalidUTF8 6 8", "message|\u{fffd}|"),
        SSECase(
            bytes: data([0xED, 0xA0, 0x80]), "!invalidUTF8 6 9",
            "message|\u{fffd}\u{fffd}\u{fffd}|"),
        SSECase(
            bytes: data([0xF0, 0x9F, 0x98, 0x41, 0xC0, 0x80]), "!invalidUTF8 6 12",
            "message|\u{fffd}A\u{fffd}\u{fffd}|"),
        SSECase(bytes: [0x3A, 0xFF, 0x0A], "!invalidUTF8 1 2", ":\u{fffd}"),
        SSECase(bytes: Array("data: a\ndata: ".utf8) + [0xE2, 0x82], "!unfinishedEvent 0 16"),
    ]

    private static func data(_ value: [UInt8]) -> [UInt8] {
        Array("data: ".utf8) + value + [0x0A, 0x0A]
    }
}
