import AgoKit
import RepriseWire
import Testing

@Suite struct AgoMessageStateTests {
    static func state(_ chunks: [String]) throws -> AgoMessageState {
        var state = AgoMessageState()
        for chunk in chunks { state.apply(try AgoChunkTests.chunk(chunk)) }
        return state
    }

    struct TextCase: Sendable {
        var chunks: [String]
        var text: String
        var last: AgoMessageState.TextChange
    }

    @Test(arguments: [
        TextCase(
            chunks: [#"{"content":"a"}"#, #"{"content":"b"}"#], text: "ab", last: .appended("b")),
        TextCase(chunks: [#"{"content":"a"}"#, #"{"content":""}"#], text: "a", last: .none),
        TextCase(
            chunks: [#"{"content":"a"}"#, #"{"full_content":"abc"}"#], text: "abc",
            last: .replaced(new: "bc")),
        TextCase(chunks: [#"{"content":"a"}"#, #"{"full_content":"a"}"#], text: "a", last: .none),
        TextCase(
            chunks: [#"{"content":"a"}"#, #"{"full_content":"x"}"#], text: "x",
            last: .replaced(new: "x")),
        TextCase(
            chunks: [#"{"content":"a"}"#, #"{"content":"b","full_content":"abc"}"#], text: "abc",
            last: .replaced(new: "bc")),
        // A character whose two halves come in two chunks; halves without the other.
        TextCase(
            chunks: [#"{"content":"a\ud83d"}"#, #"{"content":"\ude00b"}"#], text: "a😀b",
            last: .appended("😀b")),
        TextCase(
            chunks: [#"{"content":"a\ud83d"}"#, #"{"content":"b"}"#], text: "a\u{FFFD}b",
            last: .appended("\u{FFFD}b")),
        TextCase(
            chunks: [#"{"content":"a\ud83d"}"#, #"{"status":"DONE"}"#], text: "a\u{FFFD}",
            last: .appended("\u{FFFD}")),
        // A combining accent belongs to the character before it, yet is new.
        TextCase(
            chunks: [#"{"content":"e"}"#, #"{"full_content":"e\u0301"}"#], text: "e\u{301}",
            last: .replaced(new: "\u{301}")),
        // Canonically equal, yet other bytes.
        TextCase(
            chunks: [#"{"content":"\u00e9"}"#, #"{"full_content":"e\u0301"}"#], text: "e\u{301}",
            last: .replaced(new: "e\u{301}")),
    ])
    func makesText(_ row: TextCase) throws {
        var state = AgoMessageState()
        var change = AgoMessageState.TextChange.none
        for chunk in row.chunks { change = state.apply(try AgoChunkTests.chunk(chunk)) }
        #expect(Array(state.text.utf8) == Array(row.text.utf8))
        #expect(change == row.last)
    }

    @Test func theFirstIdsStand() throws {
        let state = try Self.state([
            #"{"content":"a"}"#, #"{"message_id":"m1","thread":{"id":"t1"}}"#,
            #"{"message_id":"m2","thread":{"id":"t2"}}"#,
        ])
        #expect(state.messageId == "m1")
        #expect(state.threadId == "t1")
    }

    @Test(arguments: [
        (["IN_PROGRESS", "DONE"], AgoStatus.done), (["DONE", "IN_PROGRESS"], .done),
        (["DONE", "ERROR"], .error), (["WAITING_CLIENT", "IN_PROGRESS"], .inProgress),
        (["ODD"], .unknown("ODD")), (["DONE", "ODD"], .done),
    ])
    func endsStand(statuses: [String], last: AgoStatus) throws {
        let state = try Self.state(statuses.map { #"{"status":"\#($0)"}"# })
        #expect(state.status == last)
        #expect(state.isFinished == last.isTerminal)
    }

    @Test func takesWhatComesAfterDone() throws {
        let state = try Self.state([
            #"{"message_id":"m","thread":{"id":"t"},"content":"a","status":"DONE"}"#,
            #"{"follow_up_replies":["f"]}"#, #"{"thread":{"id":"t"},"title":"T"}"#,
        ])
        #expect(state.title == "T")
        #expect(state.followUpReplies == ["f"])
        #expect(state.status == .done)
    }

    @Test func waitsForClientFunctions() throws {
        var state = try Self.state([#"{"status":"WAITING_CLIENT","waiting_tool_call_ids":["a"]}"#])
        #expect(state.waitingToolCallIds == ["a"])
        state.apply(try AgoChunkTests.chunk(#"{"status":"IN_PROGRESS"}"#))
        #expect(state.waitingToolCallIds == [])
    }

    static let bare = #"{"type":"client_function","function_name":"f","arguments":{"a":1,"b":2}}"#

    static func event(_ id: String, _ type: String = "client_function") -> String {
        """
        {"tool_call_data":true,"id":"\(id)","type":"\(type)","function_name":"f",\
        "arguments":{"b":2,"a":1}}
        """
    }

    @Test(arguments: [
        ([bare, event("1")], ["1"]), ([event("1"), bare], ["1"]),
        ([event("1"), event("2")], ["1", "2"]), ([bare, event("1"), event("2")], ["1", "2"]),
        ([bare, event("1"), bare, event("2")], ["1", "2"]), ([event("1"), event("1")], ["1"]),
        ([event("1", "status_message"), bare, event("1")], ["1"]), ([bare, bare], [nil]),
        ([event("1", "form"), event("2", "form")], ["1", "2"]),
    ])
    func tellsToolCallsApart(chunks: [String], ids: [String?]) throws {
        #expect(try Self.state(chunks).tools.map(\.id) == ids)
    }
}
