/// Checks that frames which are whole by themselves make a recording: that there is a session, that
/// what belongs to an exchange stands between its request and its end, and that operations begin
/// and end once.
///
/// A pure state machine. Of the frames of one exchange that are out of place, the first is told and
/// the others are counted. Memory grows with the number of exchanges and operations.
package struct FrameOrder: Sendable {
    /// Something that no reader can make sense of.
    package struct Problem: Sendable, Hashable {
        /// The first frame that shows it; nil where what is missing has no frame.
        package var frame: UInt64?
        package var exchange: UInt64
        package var time: Int64?
        package var expected: String
        package var message: String

        /// What is wrong and where.
        package var description: String {
            frame.map { "\(message) (frame \($0))" } ?? message
        }
    }

    /// An operation that has not ended.
    package struct OpenCall: Sendable, Hashable {
        package var number: UInt64
        package var operation: String
        /// The frame of its beginning, and when that was.
        package var frame: UInt64
        package var time: Int64
    }

    /// Times beyond 18 years from the session's start are those of no session.
    package static let times: ClosedRange<Int64> = -1 << 59...1 << 59

    private enum State { case open, ended }

    /// Frames of a kind of problem: the first, and how many more.
    private struct Strays {
        var problem: Problem
        var more = 0

        /// The first, with how many there are.
        var told: Problem {
            var problem = problem
            if more > 0 { problem.message += ", and \(more) more of the kind" }
            return problem
        }
    }

    private var exchanges: [UInt64: State] = [:]
    private var calls: [UInt64: State] = [:]
    private var callsInProgress: [UInt64: OpenCall] = [:]
    private var hasFrame = false
    private var hasSession = false
    /// Whether the beginning was lost, and the session with it.
    private var lacksBeginning = false
    /// What is out of place, by its exchange; and times that cannot be.
    private var strays: [UInt64: Strays] = [:]
    private var wrongTimes: Strays?
    private var problems: [Problem] = []

    package init() {}

    /// Takes what the reader found wrong.
    package mutating func read(_ damage: Damage) {
        if !hasFrame && damage.kind != .unsealed { lacksBeginning = true }
    }

    /// Takes the next frame.
    ///
    /// - Parameter content: What it records; nil where it is not of its kind, which is a problem of
    ///   its own.
    package mutating func read(_ frame: Frame, _ content: FrameContent?) {
        hasFrame = true
        if !Self.times.contains(frame.time) { noteTime(of: frame) }
        switch frame.kind {
        case .session: readSession(frame)
        case .request: readRequest(frame)
        case .requestBody, .requestEnd, .phases, .response, .responseBody, .decodedBody,
            .socketFrame, .end:
            if content != nil { readPart(frame) }
        case .held:
            if content != nil, frame.exchange != 0, exchanges[frame.exchange] == nil {
                noteStray(frame, of: nil)
            }
        case .call: if case .call(let record)? = content { readCall(record, frame) }
        default: break
        }
    }

    /// What is out of order, in the order of the tape.
    package func finish() -> [Problem] {
        var all = problems + strays.values.map(\.told) + (wrongTimes.map { [$0.told] } ?? [])
        all.sort { ($0.frame ?? 0, $0.exchange) < ($1.frame ?? 0, $1.exchange) }
        if !hasFrame && !lacksBeginning {
            all.append(
                Self.missing("at least one frame", "there is no frame: nothing was recorded"))
        } else if !hasSession && !lacksBeginning {
            all.append(Self.missing("a session frame", "there is no session frame"))
        }
        return all
    }

    /// The operations that began and did not end, by number.
    package var openCalls: [OpenCall] { callsInProgress.values.sorted { $0.number < $1.number } }
}

extension FrameOrder {
    private mutating func readSession(_ frame: Frame) {
        if hasSession { note(Problem(frame, "one session", "a second session frame")) }
        hasSession = true
    }

    private mutating func readRequest(_ frame: Frame) {
        let number = frame.exchange
        if let state = exchanges[number] {
            let when = state == .open ? "before its end" : "behind its end"
            note(
                Problem(
                    frame, "each exchange once", "exchange \(number) begins again \(when)"))
        }
        exchanges[number] = .open
    }

    private mutating func readPart(_ frame: Frame) {
        let state = exchanges[frame.exchange]
        guard state == .open else { return noteStray(frame, of: state) }
        if frame.kind == .end { exchanges[frame.exchange] = .ended }
    }

    private mutating func note(_ problem: Problem) {
        if problems.count < TapeSummary.damageLimit { problems.append(problem) }
    }

    private mutating func noteStray(_ frame: Frame, of state: State?) {
        if strays[frame.exchange] != nil {
            strays[frame.exchange]?.more += 1
            return
        }
        let what = "\(frame.kind.withArticle) frame"
        let problem =
            state == nil
            ? Problem(
                frame, "a request before what belongs to it",
                "\(what) of exchange \(frame.exchange), which has no request")
            : Problem(
                frame, "nothing behind an exchange's end",
                "\(what) behind the end of exchange \(frame.exchange)")
        strays[frame.exchange] = Strays(problem: problem)
    }

    private mutating func noteTime(of frame: Frame) {
        guard wrongTimes == nil else {
            wrongTimes?.more += 1
            return
        }
        wrongTimes = Strays(
            problem: Problem(
                frame, "a time within 18 years of the session's start", "a time out of range"))
    }

    private mutating func readCall(_ record: CallRecord, _ frame: Frame) {
        let number = record.call
        let state = calls[number]
        if let operation = record.op {
            if state != nil {
                note(
                    Problem(
                        frame, "each operation once", "operation \(number) begins a second time"))
            }
            calls[number] = .open
            callsInProgress[number] = OpenCall(
                number: number, operation: operation, frame: frame.number, time: frame.time)
            return
        }
        if state != .open {
            let what = state == nil ? "never began" : "had ended already"
            note(
                Problem(
                    frame, "an end for each operation that began",
                    "an end of operation \(number), which \(what)"))
        }
        calls[number] = .ended
        callsInProgress[number] = nil
    }

    private static func missing(_ expected: String, _ message: String) -> Problem {
        Problem(frame: nil, exchange: 0, time: nil, expected: expected, message: message)
    }
}

extension FrameOrder.Problem {
    fileprivate init(_ frame: Frame, _ expected: String, _ message: String) {
        self.init(
            frame: frame.number, exchange: frame.exchange,
            time: FrameOrder.times.contains(frame.time) ? frame.time : nil,
            expected: expected, message: message)
    }
}
