import ChatbaseKit
import RepriseAnalysis
import RepriseSession
import RepriseTransport
import TestSupport
import Testing

/// What the stand-in is told, how the operation ends, and which rules are broken by it.
struct ChatbaseFault: Sendable, CustomTestStringConvertible {
    var wishes: String
    /// The code of its failure; nil where there is a reply.
    var code: String?
    var rules: Set<String>

    init(_ wishes: String, _ rules: String..., code: String? = nil) {
        self.wishes = wishes
        self.rules = Set(rules)
        self.code = code
    }

    var testDescription: String { wishes }

    static let all = forms + frame + parts + tools + results + transport

    /// What is in order, whatever it looks like.
    static let forms: [ChatbaseFault] = [
        .init("chunks=3"), .init("start=message-start"), .init("finish=metadata"),
        .init("finish=flat"), .init("finish=top"), .init("finish=nested"), .init("text=bare"),
        .init("text=none"), .init("steps=none"), .init("names"), .init("crlf"),
        .init("late-metadata"), .init("credits=0.25"), .init("tokens=7+9"), .init("cuts=every:1"),
        .init("coding=gzip,members"), .init("coding=raw-deflate"), .init("delimit=close"),
        .init("no-conversation"), .init("reason=whim"), .init("error=text"),
        .init("error=nested"), .init("error=flat"),
    ]

    static let frame: [ChatbaseFault] = [
        .init("start=none", "chatbase.B1a"), .init("start=twice", "chatbase.B1b"),
        .init("start=late,text=none", "chatbase.B1a"), .init("start=no-id", "json.J2"),
        .init("finish=none", "chatbase.B2c"), .init("finish=twice", "chatbase.B2a"),
        .init("finish=bare", "json.J2", "chatbase.B11b"), .init("done=none", "chatbase.B3a"),
        .init("finish=none,done=none", "chatbase.B3b"), .init("after-finish", "chatbase.B2b"),
        .init("credits=none", "chatbase.B11b"), .init("reason=tool-calls", "chatbase.B7a"),
    ]

    static let parts: [ChatbaseFault] = [
        .init("after-end", "chatbase.B4a"), .init("unknown", "chatbase.B11a"),
        .init("no-type", "json.J2"), .init("wrong-type", "json.J2"), .init("no-delta", "json.J2"),
        .init("bad-json", "json.J1", code: "chatbase.decodingFailed"),
        .init("bad-utf8", "sse.S2", "json.J2"),
    ]

    static let tools: [ChatbaseFault] = [
        .init("tools=search!"), .init("tools=search!,input=whole"),
        .init("tools=search!,args=none"),
        .init("tools=search!!", "chatbase.B10a"), .init("tools=search!,args=wrong", "chatbase.B6"),
        .init("lone-delta", "chatbase.B5a"), .init("lone-output", "chatbase.B5b"),
        .init("tools=search!,twice-call", "chatbase.B5c"),
        .init("tools=search!,twice-output", "chatbase.B8c"),
        .init("tools=search!,big-output", "chatbase.B10b"),
    ]

    static let results: [ChatbaseFault] = [
        .init("tools=get_weather,credits=0"),
        .init("tools=get_weather,credits=0,not-ready=1"),
        .init("tools=get_weather", "chatbase.B11c"),
        .init("tools=get_weather,credits=0,reason=stop,on=1", "chatbase.B7b"),
        .init("tools=get_weather,credits=0,on=2,other-conversation", "chatbase.B9a"),
        .init("tools=unheard_of,credits=0", "chatbase.B10a"),
        .init("tools=find_order,credits=0", "chatbase.B10a"),
        .init("tools=get_weather,credits=0,on=2,finish=none,done=none", "chatbase.B3b"),
        .init(
            "tools=get_weather,credits=0,no-conversation,on=1",
            code: "chatbase.noContent"),
    ]

    static let transport: [ChatbaseFault] = [
        .init("cut=300,rst", "chatbase.B3b", code: "transport.reset"),
        .init("cut=300", "chatbase.B3b", code: "transport.closed"),
        .init("reset", code: "transport.closed"),
        .init("empty", "chatbase.B3b", code: "chatbase.noContent"),
        .init("type=text/plain", "http.H3", code: "chatbase.decodingFailed"),
        .init("coding=gzip,corrupt", "http.H4", code: "transport.contentCoding"),
        .init("status=500,body=plain", "http.H1", code: "chatbase.http.500"),
    ]
}

@Suite("Chatbase, out of order", .timeLimit(.minutes(10)))
struct ChatbaseFaultTests {
    private static let peer = Task { try await Peer.start("chatbase", "--pace", "0") }

    @Test("Each fault is recorded, replays the same, and is found", arguments: ChatbaseFault.all)
    func fault(_ fault: ChatbaseFault) async throws {
        let turn = try await RecordedTurn(
            "Speak peer:\(fault.wishes)", to: try await Self.peer.value)
        switch turn.outcome {
        case .success: #expect(fault.code == nil)
        case .failure(let error): #expect(CallFailure(error).code == fault.code)
        }
        let check = ReplayCheck(try Recording(path: turn.path), clients: [ChatbaseReplayer.self])
        #expect(try await check.run().map(\.description) == [])
        let tape = try AnalyzedTape(
            name: "t", bytes: try turn.folder.bytes("turn.tape"), dialects: [ChatbaseDialect()])
        // At that pace all of a stream comes at once, whenever a busy machine gets to it.
        let rules = Set(tape.session.violations.map(\.rule)).subtracting(["http.H6"])
        #expect(rules == fault.rules)
    }
}
