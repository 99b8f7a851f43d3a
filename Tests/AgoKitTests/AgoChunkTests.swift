import AgoKit
import RepriseWire
import Testing

@Suite struct AgoChunkTests {
    static func chunk(_ text: String) throws -> AgoChunk {
        guard case .chunk(let chunk) = AgoStreamItem(data: text) else { throw NotAChunk() }
        return chunk
    }

    struct NotAChunk: Error {}

    @Test func readsEveryKeyOfAMessage() throws {
        let chunk = try Self.chunk(
            """
            {"message_id":"m7","thread":{"id":"th3","extra":1},"title":"T","content":"a",\
            "full_content":"ab","status":"IN_PROGRESS",\
            "agent":{"id":"a1","name":"helper","display_name":"Helper"},\
            "follow_up_replies":["x","y"],"waiting_tool_call_ids":["t1"],\
            "satisfaction_feedback":{"a":1},"ask_to_talk_to_human":true,"new":[1]}
            """)
        #expect(chunk.messageId == "m7")
        #expect(chunk.threadId == "th3")
        #expect(chunk.title == "T")
        #expect(chunk.content == "a")
        #expect(chunk.fullContent == "ab")
        #expect(chunk.status == .inProgress)
        #expect(chunk.agent == Agent(id: "a1", name: "helper", displayName: "Helper"))
        #expect(chunk.followUpReplies == ["x", "y"])
        #expect(chunk.waitingToolCallIds == ["t1"])
        #expect(chunk.satisfactionFeedback == ["a": 1])
        #expect(chunk.asksForHuman == true)
        #expect(chunk.others == ["new": [1]])
        #expect(chunk.mismatches.isEmpty)
        #expect(chunk.tool == nil)
    }

    @Test(arguments: [
        ("IN_PROGRESS", AgoStatus.inProgress, false), ("DONE", .done, true),
        ("ERROR", .error, true), ("TODO", .todo, false), ("CANCELED", .canceled, true),
        ("WAITING_CLIENT", .waitingClient, true), ("PONDERING", .unknown("PONDERING"), false),
        ("done", .unknown("done"), false),
    ])
    func knowsStatuses(text: String, status: AgoStatus, isTerminal: Bool) throws {
        let chunk = try Self.chunk(#"{"status":"\#(text)"}"#)
        #expect(chunk.status == status)
        #expect(status.text == text)
        #expect(status.isTerminal == isTerminal)
    }

    @Test func theStatusOfAToolEventIsTheTools() throws {
        let chunk = try Self.chunk(
            """
            {"tool_call_data":true,"type":"client_function","id":"tc","status":"waiting_input",\
            "tool_name":"n","tool_display_name":"N","message":"m","form_schema":{},"data":[1],\
            "function_name":"f","arguments":{"a":1},"message_id":"m7","content":"c"}
            """)
        #expect(chunk.status == nil)
        #expect(chunk.messageId == "m7")
        #expect(chunk.content == "c")
        let tool = try #require(chunk.tool)
        #expect(tool.type == .clientFunction)
        #expect(tool.id == "tc")
        #expect(tool.status == "waiting_input")
        #expect(tool.toolName == "n")
        #expect(tool.toolDisplayName == "N")
        #expect(tool.message == "m")
        #expect(tool.formSchema == [:])
        #expect(tool.data == [1])
        #expect(tool.functionName == "f")
        #expect(tool.name == "f")
        #expect(tool.arguments == ["a": 1])
        #expect(!tool.isBareState)
    }

    @Test(arguments: [
        (#"{"type":"client_function","function_name":"f"}"#, true, true),
        (#"{"tool_call_data":true,"type":"form"}"#, true, false),
        (#"{"tool_call_data":true}"#, true, false),
        (#"{"tool_call_data":false,"type":"form"}"#, false, false),
        (#"{"type":"client_function"}"#, false, false),
        (#"{"id":"x"}"#, false, false),
    ])
    func tellsToolEvents(text: String, isTool: Bool, isBare: Bool) throws {
        let chunk = try Self.chunk(text)
        #expect((chunk.tool != nil) == isTool)
        #expect((chunk.tool?.isBareState ?? false) == isBare)
    }

    @Test(arguments: [
        (#"{"content":1}"#, "content", "string", "number"),
        (#"{"thread":"t"}"#, "thread", "object", "string"),
        (#"{"thread":{}}"#, "thread.id", "string", "missing"),
        (#"{"thread":{"id":null}}"#, "thread.id", "string", "null"),
        (#"{"status":true}"#, "status", "string", "bool"),
        (#"{"agent":{"id":"a","name":[]}}"#, "agent.name", "string", "array"),
        (#"{"follow_up_replies":["a",2]}"#, "follow_up_replies[1]", "string", "number"),
        (#"{"follow_up_replies":{}}"#, "follow_up_replies", "array", "object"),
        (#"{"knowledge_sources":[1]}"#, "knowledge_sources[0]", "object", "number"),
        (
            #"{"knowledge_sources":[{}]}"#, "knowledge_sources[0].knowledge_document", "object",
            "missing"
        ),
        (
            #"{"knowledge_sources":[{"knowledge_document":{"id":"d"}}]}"#,
            "knowledge_sources[0].knowledge_document.title", "string", "missing"
        ),
        (
            #"{"knowledge_sources":[{"position":1.5,"knowledge_document":{"id":"","title":""}}]}"#,
            "knowledge_sources[0].position", "integer", "number"
        ),
        (
            #"{"tool_call_data":true,"type":"form","arguments":"{}"}"#, "arguments", "object",
            "string"
        ),
    ])
    func notesOtherTypes(text: String, path: String, expected: String, found: String) throws {
        let chunk = try Self.chunk(text)
        let mismatch = try #require(chunk.mismatches.first)
        #expect(chunk.mismatches.count == 1)
        #expect(mismatch.path == path)
        #expect(mismatch.expected.rawValue == expected)
        #expect(mismatch.found.rawValue == found)
    }

    @Test(arguments: [
        "content", "title", "agent", "knowledge_sources", "thread", "status",
        "satisfaction_feedback", "ask_to_talk_to_human", "follow_up_replies",
    ])
    func nullIsAbsent(key: String) throws {
        #expect(try Self.chunk(#"{"\#(key)":null}"#) == AgoChunk())
    }

    @Test func readsSourcesOfBothForms() throws {
        let chunk = try Self.chunk(
            """
            {"knowledge_sources":[{"position":1,"knowledge_document":{"id":"d1","title":"One",\
            "use_external_link":true,"external_link_url":"e","internal_link_url":"i"}},\
            {"id":"s2","knowledge_document":{"id":"d2","title":"Two","use_external_link":false,\
            "external_link_url":"e","internal_link_url":"i"}},\
            {"id":"s3","knowledge_document":{"id":"d3","title":"Three","internal_link_url":"i"}}]}
            """)
        let sources = try #require(chunk.knowledgeSources)
        #expect(sources.map(\.id) == ["d1", "s2", "s3"])
        #expect(sources.map(\.position) == [1, nil, nil])
        #expect(sources.map(\.knowledgeDocument.url) == ["e", "i", "i"])
    }

    @Test(arguments: [
        ("heartbeat", "heartbeat"), ("[1]", "notObject"), ("\"heartbeat\"", "notObject"),
        ("heartbeat ", "notJSON"), ("{", "notJSON"), ("", "notJSON"), ("{}", "chunk"),
    ])
    func tellsHeartbeatsAndRubbish(data: String, kind: String) {
        let found =
            switch AgoStreamItem(data: data) {
            case .heartbeat: "heartbeat"
            case .chunk: "chunk"
            case .notJSON: "notJSON"
            case .notObject: "notObject"
            }
        #expect(found == kind)
    }
}
