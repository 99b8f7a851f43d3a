import CometChatKit
import RepriseWire
import Testing

/// Which message a run answers, and what is kept of runs.
@Suite struct RunBookTests {
    private static func event(_ body: String) throws -> AgentEvent {
        try AgentEventTests.event(body)
    }

    private static func started(_ run: Int, conversation: String = "") throws -> AgentEvent {
        try event(
            #"{"type":"run_started","id":\#(run),"conversationId":"\#(conversation)","data":{}}"#)
    }

    private static func message(id: Int, conversation: String = "") throws -> ChatMessage {
        try ChatMessageTests.message(#"{"id":\#(id),"conversationId":"\#(conversation)"}"#)
    }

    @Test func theOldestMessageToTheAgentIsAnswered() throws {
        var book = RunBook()
        let one = book.open(to: "a")
        let two = book.open(to: "b")
        let three = book.open(to: "a")
        #expect(book.take(try Self.started(1), from: "b", at: 1) == two)
        #expect(book.take(try Self.started(2), from: "a", at: 2) == one)
        #expect(book.take(try Self.started(3), from: "a", at: 3) == three)
        // Later events go where the run is, whatever their order.
        #expect(book.take(try Self.started(2), from: "a", at: 4) == one)
        #expect(book.take(try Self.started(4), from: "a", at: 5) == nil)
        #expect(book.others.map(\.key) == [4])
        #expect(book.ticket(one)?.run.lastTime == 4)
        #expect(book.ticket(one)?.run.startTime == 2)
    }

    /// A run whose key is a message's id answers that one.
    @Test func aRunNamedForItsMessageAnswersIt() throws {
        var book = RunBook()
        let one = book.open(to: "a")
        let two = book.open(to: "a")
        _ = book.sent(one, try Self.message(id: 7))
        _ = book.sent(two, try Self.message(id: 8))
        #expect(book.take(try Self.started(8), from: "a", at: 1) == two)
        #expect(book.take(try Self.started(9), from: "a", at: 1) == one)
        #expect(book.ticket(ofMessage: 8)?.number == two)
    }

    /// A frame that does not say who sent it: the conversation tells, where it is known.
    @Test func anAnonymousRunIsFoundByItsConversation() throws {
        var book = RunBook()
        let one = book.open(to: "a")
        let two = book.open(to: "b")
        _ = book.sent(one, try Self.message(id: 1, conversation: "a_user_u"))
        _ = book.sent(two, try Self.message(id: 2, conversation: "b_user_u"))
        let event = try Self.started(5, conversation: "b_user_u")
        #expect(book.take(event, from: "", at: 1) == two)
        #expect(book.take(try Self.started(6), from: "", at: 1) == one)
    }

    @Test func whatNamesNoRunBelongsToTheAgentsLast() throws {
        var book = RunBook()
        let one = book.open(to: "a")
        let bare = try Self.event(#"{"type":"text_message_content","data":{"delta":"x"}}"#)
        #expect(book.take(try Self.started(1), from: "a", at: 1) == one)
        #expect(book.take(bare, from: "a", at: 2) == one)
        #expect(book.ticket(one)?.run.text == "x")
        #expect(book.take(bare, from: "b", at: 3) == nil)
        #expect(book.take(bare, from: "b", at: 4) == nil)
        #expect(book.others.map(\.text) == ["xx"])
    }

    /// How much of a run comes behind what was told of it is left to chance: it makes no other run.
    @Test func whatComesOfARunThatIsToldIsNoOther() throws {
        var book = RunBook()
        let one = book.open(to: "a")
        #expect(book.take(try Self.started(1), from: "a", at: 1) == one)
        book.tell(one)
        #expect(book.ticket(one) == nil)
        let text = #"{"type":"text_message_content","id":1,"data":{"delta":"x"}}"#
        #expect(book.take(try Self.event(text), from: "a", at: 2) == nil)
        let bare = try Self.event(#"{"type":"text_message_content","data":{"delta":"x"}}"#)
        #expect(book.take(bare, from: "a", at: 2) == nil)
        #expect(book.others.isEmpty)
        #expect(book.cut() == [])
        // Another run is another one.
        #expect(book.take(try Self.started(2), from: "a", at: 3) == nil)
        #expect(book.others.map(\.key) == [2])
    }

    /// A message that was given up, whose run begins after all: it is nobody's either.
    @Test func aRunThatComesTooLateIsNoOther() throws {
        var book = RunBook()
        let one = book.open(to: "a")
        _ = book.sent(one, try Self.message(id: 7))
        book.tell(one)
        #expect(book.ticket(ofMessage: 7) == nil)
        // A message that is waited for comes first.
        let two = book.open(to: "a")
        #expect(book.take(try Self.started(1), from: "a", at: 1) == two)
        #expect(book.take(try Self.started(2), from: "a", at: 2) == nil)
        #expect(book.others.isEmpty)
        #expect(book.take(try Self.started(3), from: "a", at: 3) == nil)
        #expect(book.others.map(\.key) == [3])
    }

    @Test func cutsWhatGoesOn() throws {
        var book = RunBook()
        let one = book.open(to: "a")
        let two = book.open(to: "b")
        let three = book.open(to: "c")
        _ = book.take(try Self.started(1), from: "a", at: 1)
        _ = book.take(try Self.started(2), from: "b", at: 1)
        let end = try Self.event(#"{"type":"run_finished","id":2}"#)
        _ = book.take(end, from: "b", at: 2)
        _ = book.take(try Self.started(9), from: "z", at: 2)
        #expect(book.cut() == [1, 9])
        #expect(book.ticket(one)?.run.isCut == true)
        #expect(book.ticket(two)?.run.isCut == false)
        #expect(book.ticket(three)?.run.isCut == false)
        #expect(book.cut() == [])
    }

    @Test func knowsWhatModerationMade() throws {
        var book = RunBook()
        let one = book.open(to: "a")
        _ = book.sent(one, try Self.message(id: 7))
        var message = try Self.message(id: 7)
        message.moderation = .disapproved
        #expect(book.take(moderated: message) == one)
        #expect(book.ticket(one)?.status == .disapproved)
        message.id = 8
        #expect(book.take(moderated: message) == nil)
        // Moderation may be faster than the service's own answer.
        let two = book.open(to: "a")
        #expect(book.sent(two, try Self.message(id: 8)) == .disapproved)
        #expect(book.ticket(two)?.status == .disapproved)
    }

    /// A session that runs for long keeps the last of what nobody asks for.
    @Test func forgetsWhatIsOld() throws {
        var book = RunBook()
        for run in 1...RunBook.limit + 5 {
            _ = book.take(try Self.started(run), from: "a", at: 1)
        }
        #expect(book.others.count == RunBook.limit)
        #expect(book.others.first?.key == 6)
        for _ in 0..<RunBook.limit + 5 { _ = book.open(to: "a") }
        #expect(book.tickets.count == RunBook.limit)
    }

    /// What is to come of a run, by what has come.
    @Test func tellsWhatIsMissing() throws {
        var run = AgentRun(key: 1, agent: "a")
        for body in AgentEventTests.run { run.take(try Self.event(body), at: 1) }
        #expect(run.isFinished)
        #expect(run.text == "Two stores are open.\n🙂")
        #expect(run.tools.first?.arguments == #"{"zip":"04109"}"#)
        #expect(run.missing == ["tool-arguments tc-1", "tool-result tc-1", "assistant"])
        let messages = [
            #"{"category":"agentic","type":"tool-result","data":{"toolCallId":"tc-1"}}"#,
            #"{"category":"agentic","type":"assistant","data":{"text":"t"}}"#,
            #"{"category":"agentic","type":"tool-arguments","data":{"toolCalls":[{"id":"tc-1"}]}}"#,
        ]
        for body in messages {
            #expect(!run.isComplete)
            run.take(try ChatMessageTests.message(body), isRecovered: false, at: 2)
        }
        #expect(run.isComplete)
        #expect(run.reply?.text == "t")
    }

    @Test func remembersMessages() throws {
        var history = History()
        #expect(history.take(try Self.message(id: 5), with: "a") == true)
        #expect(history.take(try Self.message(id: 5), with: "a") == false)
        #expect(history.take(try Self.message(id: 3), with: "a") == true)
        #expect(history.cursors == ["a": 5])
        let bare = try ChatMessageTests.message("{}")
        #expect(history.take(bare, with: "b") == true)
        #expect(history.take(bare, with: "b") == true)
        for id in 10..<10 + 2 * History.limit {
            #expect(history.take(try Self.message(id: id), with: "") == true)
        }
        #expect(history.take(try Self.message(id: 5), with: "a") == true)
        #expect(history.take(try Self.message(id: 9 + 2 * History.limit), with: "a") == false)
    }
}
