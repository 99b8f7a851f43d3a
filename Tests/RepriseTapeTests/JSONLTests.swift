import RepriseTape
import RepriseWire
import Testing

@Suite struct JSONLTests {
    static func lines(_ items: [TapeReader.Item]) -> [UInt8] {
        Array(items.map(\.jsonLine).joined(separator: [0x0A])) + [0x0A]
    }

    static func text(_ frame: Frame) -> String {
        String(decoding: TapeReader.Item.frame(frame).jsonLine, as: UTF8.self)
    }

    static func frame(_ line: String) throws -> Frame {
        try #require(try ReadTape(Array(line.utf8)).frames.first)
    }

    @Test func everyKindComesBack() throws {
        let items = try ReadTape(Samples.tape()).items
        let tape = try ReadTape(Self.lines(items))
        #expect(tape.items == items)
        #expect(tape.summary.isSealed)
    }

    @Test(arguments: [
        (
            Frame(.session(Samples.session), time: 0),
            #"{"kind":"session","x":0,"t":0,"version":1,"session":"0123456789abcdef","#
                + #""wall":"2026-11-30T06:06:00.000000001Z","recorder":"reprise/0.1.0"}"#
        ),
        (
            Frame(.requestBody(Array("{\"a\":1}".utf8)), exchange: 1, time: 81000),
            #"{"kind":"requestBody","x":1,"t":81000,"text":"{\"a\":1}"}"#
        ),
        (
            Frame(.requestEnd, exchange: 1, time: 82000),
            #"{"kind":"requestEnd","x":1,"t":82000}"#
        ),
        (
            Frame(.responseBody([0x1f, 0x8b]), exchange: 1, time: 1),
            #"{"kind":"responseBody","x":1,"t":1,"base64":"H4s="}"#
        ),
        (
            Frame(
                exchange: 2, time: 3, kind: .socketFrame, payload: [102, 0, 0x2a]),
            #"{"kind":"socketFrame","x":2,"t":3,"from":"client","fin":true,"rsv1":true,"#
                + #""inflated":true,"corrupt":true,"opcode":"continuation","text":"*"}"#
        ),
        (
            Frame(
                exchange: 2, time: 3, kind: .socketFrame, payload: [7, 1, 0xaa], isVerified: false),
            #"{"kind":"socketFrame","x":2,"t":3,"unverified":true,"from":"server","fin":true,"#
                + #""rsv1":true,"opcode":"text","base64":"qg=="}"#
        ),
        (
            Frame(.reveal(RevealRecord(frame: 9, offset: 4, bytes: [0x41])), time: 0),
            #"{"kind":"reveal","x":0,"t":0,"frame":9,"offset":4,"text":"A"}"#
        ),
        (
            Frame(.unknown(Frame.Kind(rawValue: 42), [0]), time: -1),
            ##"{"kind":"#42","x":0,"t":-1,"base64":"AA=="}"##
        ),
    ])
    func aLineHasOneForm(frame: Frame, line: String) throws {
        #expect(Self.text(frame) == line)
        #expect(try Self.frame(line) == frame)
    }

    @Test(arguments: [
        #"{"call":1,"op":"x","args":{"a":"\ud800","b":1e400,"c":-0.0,"d":12345678901234567890}}"#,
        #"{"call":1,"op":"\u0078\/","args":{"a":1,"a":2}}"#,
        #"{"call":1,"op":"x","new":[1,2.50]}"#,
        #"{"op":"x","call":1}"#, #"{ "call": 1 }"#, #"{"call":1,"kind":"x"}"#,
        #"{"call":1,"raw":"x"}"#, #"{"call":-1}"#, #"{"call":1"#, "[]", "", "{}",
        "{\"call\":1,\"op\":\"\u{0}\"}", "{\"call\":1}\n",
    ])
    func everyPayloadComesBackByteForByte(payload: String) throws {
        for kind in [Frame.Kind.call, .requestEnd, .note, .session] {
            let frame = Frame(exchange: 3, time: 4, kind: kind, payload: Array(payload.utf8))
            let line = Self.text(frame)
            #expect(!line.contains("\n"))
            #expect(try JSON.parse(Array(line.utf8)).value.object != nil)
            #expect(try Self.frame(line) == frame)
        }
    }

    @Test(
        arguments: [
            [], [1], [0x20, 1, 2], [1, 200, 3], [0x80, 0x00, 1, 2], [0xff],
            Array(repeating: 0xff, count: 20),
        ] as [[UInt8]])
    func everyBinaryPayloadComesBack(payload: [UInt8]) throws {
        for kind in (0...255).map({ Frame.Kind(rawValue: $0) }) where kind != .index {
            let frame = Frame(exchange: 3, time: 4, kind: kind, payload: payload)
            #expect(try Self.frame(Self.text(frame)) == frame)
        }
    }

    @Test func handWrittenLinesAreTakenInAnyOrder() throws {
        let text =
            "\u{FEFF}\r\n"
            + #"{ "text" : "hi", "t" : 5, "kind" : "note" }"# + "\r\n\n"
            + #"{"op":"send","t":6,"call":1,"kind":"call","args":[ 1 , "a b" ]}"# + "\n"
            + #"{"t":7,"x":2,"opcode":9,"from":"client","kind":"socketFrame","text":""}"#
        let tape = try ReadTape(Array(text.utf8))
        #expect(
            tape.frames == [
                Frame(.note("hi"), time: 5, number: 0),
                Frame(
                    .call(CallRecord(call: 1, op: "send", args: [1, "a b"])), time: 6, number: 1),
                Frame(
                    .socketFrame(SocketFrameRecord(flags: .fin, opcode: 9, bytes: [])), exchange: 2,
                    time: 7, number: 2),
            ])
    }

    @Test(arguments: [
        ("{", "the line is not JSON: the text ends too early at byte 1"),
        ("{\"kind\":\"note\"", "the line is not JSON: the text ends too early at byte 14"),
        ("{}", "the line has no kind"),
        (#"{"kind":1}"#, "the line needs kind as a string"),
        (#"{"kind":"nope","t":0}"#, "the kind is unknown"),
        (##"{"kind":"#256","t":0,"text":""}"##, "the kind is unknown"),
        (#"{"kind":"index","t":0}"#, "the index of a tape has no line"),
        (#"{"kind":"note","t":0.5,"text":"a"}"#, "a note frame needs t"),
        (#"{"kind":"note","t":0,"x":-1,"text":"a"}"#, "a note frame needs x"),
        (#"{"kind":"note","t":0}"#, "a note frame needs text"),
        (#"{"kind":"note","t":0,"t":1,"text":""}"#, "the line has the key t twice"),
        (#"{"kind":"requestBody","t":0}"#, "a requestBody frame needs text or base64"),
        (
            #"{"kind":"requestBody","t":0,"text":"\ud800"}"#,
            "the line needs text as a string without"
        ),
        (#"{"kind":"requestBody","t":0,"base64":"?"}"#, "the value of base64 is not base64 text"),
        (#"{"kind":"note","text":"a"}"#, "a note frame needs t, which is missing"),
        (#"{"kind":"end","t":0}"#, "an end frame needs how, which is missing"),
        (#"{"kind":"entropy","t":0,"call":""}"#, "an entropy frame needs call as a whole"),
        (#"{"kind":"requestBody","t":0,"text":"","base64":""}"#, "the line has both"),
        (#"{"kind":"requestBody","t":0,"text":"","more":1}"#, "the line has a key"),
        (#"{"kind":"socketFrame","t":0,"text":"","opcode":1}"#, "a socketFrame frame needs from"),
        (
            #"{"kind":"socketFrame","t":0,"text":"","from":"server"}"#,
            "a socketFrame frame needs opcode"
        ),
        (#"{"kind":"damage"}"#, "a damage needs what"),
        (#"{"kind":"damage","what":"lost","message":"","frames":[2,1]}"#, "a damage needs frames"),
        ("[]", "neither a tape"),
    ])
    func aWrongLineIsNamed(line: String, message: String) throws {
        let good = #"{"kind":"note","t":0,"text":"a"}"#
        let bytes = Array((line == "[]" ? line : good + "\n\n" + line).utf8)
        let error = #expect(throws: TapeError.self) { try ReadTape(bytes) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        if line != "[]" {
            #expect(error?.code == .badLine)
            #expect(error?.line == 3)
        }
    }

    @Test func aNewerVersionIsRefused() throws {
        let line = #"{"kind":"session","t":0,"version":2,"session":"a","wall":"b","recorder":"c"}"#
        let error = #expect(throws: TapeError.self) { try ReadTape(Array(line.utf8)) }
        #expect(error?.code == .unsupportedVersion)
    }

    @Test func damageStandsWhereItWasFound() throws {
        let items: [TapeReader.Item] = [
            .frame(Frame(.note("a"), time: 0, number: 0)),
            .damage(
                Damage(
                    .member, "gone", offset: 1, length: 2, members: 3..<4, frames: 1..<7)),
            .frame(Frame(.note("b"), time: 0, number: 7)),
            .damage(Damage(.garbage, "x", frames: 8..<8)),
            .damage(Damage(.unsealed, "no end")),
        ]
        let tape = try ReadTape(Self.lines(items))
        #expect(tape.items == items)
        #expect(!tape.summary.isSealed)
        #expect(tape.summary.damageCount == 3)
    }

    @Test func theOrderOfKeysCoversEveryKind() {
        for raw in UInt8.min...UInt8.max {
            let kind = Frame.Kind(rawValue: raw)
            let isListed = RecordKeys.order[kind] != nil
            #expect(isListed == (kind.name != nil && kind != .index), "\(kind.lineName)")
        }
    }
}
