import RepriseTape
import Testing

/// Frames that are whole by themselves and make no recording.
@Suite struct FrameOrderTests {
    private static let session =
        #"{"kind":"session","t":0,"version":1,"session":"a","wall":"b","recorder":"c"}"#
    private static let request =
        #"{"kind":"request","x":1,"t":1,"transport":"http","method":"GET","url":"u","headers":[]}"#
    private static let response =
        #"{"kind":"response","x":1,"t":2,"status":200,"version":"1.1","headers":[]}"#
    private static let body = #"{"kind":"responseBody","x":1,"t":3,"text":"a"}"#
    private static let end = #"{"kind":"end","x":1,"t":4,"how":"complete"}"#
    private static let begin = #"{"kind":"call","t":1,"call":1,"op":"ask","args":{}}"#
    private static let done = #"{"kind":"call","t":9,"call":1,"result":null}"#

    private func findings(_ lines: [String]) throws -> [TapeVerification.Finding] {
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        return try TapeVerification(TapeReader(bytes: bytes)).findings
    }

    @Test(arguments: [
        (
            [session, response, body, end],
            [
                "a response frame of exchange 1, which has no request, and 2 more of the kind (frame 1)"
            ]
        ),
        (
            [session, request, end, body],
            ["a responseBody frame behind the end of exchange 1 (frame 3)"]
        ),
        (
            [session, request, end, end],
            ["an end frame behind the end of exchange 1 (frame 3)"]
        ),
        ([session, session], ["a second session frame (frame 1)"]),
        (
            [session, request, request, end],
            ["exchange 1 begins again before its end (frame 2)"]
        ),
        (
            [session, request, end, request, end],
            ["exchange 1 begins again behind its end (frame 3)"]
        ),
        (
            [session, #"{"kind":"held","x":4,"t":3,"duration":1}"#],
            ["a held frame of exchange 4, which has no request (frame 1)"]
        ),
        ([session, done], ["an end of operation 1, which never began (frame 1)"]),
        (
            [session, begin, done, done],
            ["an end of operation 1, which had ended already (frame 3)"]
        ),
        ([session, begin, begin], ["operation 1 begins a second time (frame 2)"]),
        (
            [session, #"{"kind":"note","t":9223372036854775807,"text":""}"#],
            ["a time out of range (frame 1)"]
        ),
        ([request, end], ["there is no session frame"]),
        (["", " "], ["there is no frame: nothing was recorded"]),
        // One fault is one finding: the broken frame is told, and what it opens is not.
        (
            [session, #"{"kind":"request","x":1,"t":1,"raw":"AA=="}"#, response, end],
            ["the payload of a request frame is not JSON"]
        ),
        (
            [session, request, #"{"kind":"end","x":1,"t":1,"raw":"AA=="}"#],
            ["the payload of an end frame is not JSON"]
        ),
    ])
    func eachIsAnError(lines: [String], messages: [String]) throws {
        let found = try findings(lines)
        #expect(found.count == messages.count)
        for (finding, message) in zip(found, messages) {
            #expect(finding.message.contains(message), "\(finding.message)")
            #expect(finding.severity == .error)
        }
    }

    @Test func whatIsInOrderIsNoFinding() throws {
        let held = #"{"kind":"held","x":1,"t":9,"duration":1}"#
        #expect(
            try findings([
                Self.session, Self.begin, Self.request, Self.response, Self.body, Self.end, held,
                Self.done,
            ]) == [])
    }

    @Test func whatARepairLostIsNoNews() throws {
        let lost = #"{"kind":"damage","what":"lost","message":"gone","frames":[0,2]}"#
        let found = try findings([lost, Self.response, Self.end])
        #expect(found.map(\.severity) == [.note, .note])
    }

    @Test func anOperationWithoutItsEndIsOpen() throws {
        var order = FrameOrder()
        for (number, item) in [(1, "ask"), (2, "ask")] {
            let call = CallRecord(call: UInt64(number), op: item)
            order.read(Frame(.call(call), time: 0, number: UInt64(number)), .call(call))
        }
        let end = CallRecord(call: 1)
        order.read(Frame(.call(end), time: 0, number: 3), .call(end))
        #expect(order.openCalls.map(\.number) == [2])
    }
}
