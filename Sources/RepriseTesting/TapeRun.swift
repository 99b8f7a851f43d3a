internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport
internal import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// One run of a test on its tape.
struct TapeRun: Sendable {
    let tape: Tape
    let name: String
    let allowances: [TapeAllowance]
    let sourceLocation: SourceLocation
    /// How long the test may take to end once it is cancelled, in real nanoseconds.
    let grace: Int64
    /// Told what became of a recording, in a line.
    let tell: @Sendable (String) -> Void
    /// Whether an issue was recorded that fails the test.
    private let hasFailed = Locked(false)
    /// Whether the test came to its end.
    private let isWhole = Locked(false)
    private let isKept = Locked(false)

    /// Whether what was recorded is the tape now.
    var wasKept: Bool { isKept.withLock { $0 } }

    init(
        tape: Tape, name: String, allowances: [TapeAllowance], sourceLocation: SourceLocation,
        grace: Int64, tell: @escaping @Sendable (String) -> Void
    ) {
        self.tape = tape
        self.name = name
        self.allowances = allowances
        self.sourceLocation = sourceLocation
        self.grace = grace
        self.tell = tell
    }

    /// Runs the test and judges it.
    ///
    /// - Throws: What the test throws.
    func perform(_ body: @Sendable (Tape) async throws -> Void) async throws {
        let stalls = Locked(0)
        let outcome = await watching {
            guard let time = tape.time else { return try await scoped(body) }
            do {
                try await time.runToEnd(grace: grace) {
                    try await scoped(body)
                } stalled: { error in
                    stalls.withLock { $0 += 1 }
                    record(error.message + next)
                } stuck: {
                    giveUp()
                }
            } catch {
                // That it stalled has been told.
                if stalls.withLock({ $0 }) == 0 { throw error }
            }
        }
        switch tape.source {
        case .replay(let replay): judge(replay, told: stalls.withLock { $0 })
        case .recorder(let recorder, let file): finish(recorder, file)
        case .nothing: break
        }
        try outcome.get()
    }

    private func scoped(_ body: @Sendable (Tape) async throws -> Void) async throws {
        try await Tape.$active.withValue(tape) {
            do {
                try await body(tape)
                isWhole.withLock { $0 = true }
            } catch {
                hasFailed.withLock { $0 = true }
                throw error
            }
        }
    }

    /// Runs `body` and notes whether an issue is recorded in it, which nothing else tells.
    private func watching(
        _ body: @Sendable () async throws -> Void
    ) async -> Result<Void, any Error> {
        do {
            try await withKnownIssue(isIntermittent: true) {
                try await body()
            } matching: { issue in
                if issue.fails { hasFailed.withLock { $0 = true } }
                return false
            }
            return .success(())
        } catch {
            hasFailed.withLock { $0 = true }
            return .failure(error)
        }
    }

    /// What the tape has next, for who wonders what the test waits for.
    private var next: String {
        guard case .replay(let replay) = tape.source else { return "" }
        var findings = TapeFindings(allowances: [])
        findings.addRest(of: replay)
        let lines = findings.texts.prefix(3).map { "\n    \($0.split(separator: ";")[0])" }
        return lines.isEmpty ? "" : "\nWhat is left of the tape:" + lines.joined()
    }

    /// Ends the process: nothing can end a test that does not heed its being cancelled, and Swift
    /// Testing waits for its end for ever.
    private func giveUp() {
        let seconds = Duration.nanoseconds(grace) / .seconds(1)
        let text = """
            \(name): the test at \(sourceLocation) does not end. It was cancelled \
            \(Int(seconds.rounded(.up))) s ago, and what it waits for does not heed that, such as a \
            continuation that nobody resumes. Nothing can end it from outside, so this process ends \
            here, and whatever other tests are left with it.

            """
        StandardError.write(text)
        exit(1)
    }

    // MARK: Judging

    private func judge(_ replay: ReplayTransport, told: Int) {
        var findings = TapeFindings(allowances: allowances)
        findings.add(misses: replay.misses)
        if let time = tape.time {
            findings.add(stalls: Array(time.stalls.dropFirst(told)))
            findings.add(escape: time.escape)
        }
        // Where something else went wrong, what is left over is so for that reason.
        let isWhole = isWhole.withLock { $0 } && replay.misses.isEmpty && told == 0
        if isWhole { findings.addRest(of: replay) }
        for text in findings.texts { record(text) }
        if hasFailed.withLock({ $0 }) { attach(tape.path) }
    }

    private func finish(_ recorder: TapeRecorder, _ file: RecordingFile) {
        guard tape.activity == .recording, !hasFailed.withLock({ $0 }) else {
            if hasFailed.withLock({ $0 }) { attach(file.current) }
            recorder.discard()
            if tape.activity == .recording {
                tell("not kept, since the test failed: \(tape.path)\n")
            }
            return
        }
        do {
            try file.keep(recorder)
            isKept.withLock { $0 = true }
            tell("recorded \(tape.path)\n")
        } catch {
            record("what was recorded could not be kept: \(error)")
        }
    }

    private func record(_ text: String) {
        hasFailed.withLock { $0 = true }
        let comment = "\(name): \(text)\nThe tape is \(tape.path)."
        Issue.record(Comment(rawValue: comment), sourceLocation: sourceLocation)
    }

    /// Attaches the tape and its timeline, for who looks into the failure.
    private func attach(_ file: String) {
        guard let recording = try? Recording(path: file) else { return }
        let timeline = Timeline(recording, name: tape.path).text
        let title = attachmentName
        Attachment.record(
            timeline, named: "\(title).timeline.txt", sourceLocation: sourceLocation)
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: file)) else { return }
        let ending = tape.path.hasSuffix(".jsonl") && file == tape.path ? "jsonl" : "tape"
        Attachment.record(
            [UInt8](bytes), named: "\(title).\(ending)", sourceLocation: sourceLocation)
    }

    /// The tape's name without folders and ending.
    private var attachmentName: String {
        let name = name.split(separator: "/").last.map(String.init) ?? name
        let ending = [".tape", ".jsonl"].first { name.hasSuffix($0) } ?? ""
        return String(name.dropLast(ending.count))
    }
}

extension Issue {
    /// Whether a test in which it is recorded has failed.
    fileprivate var fails: Bool {
        #if compiler(>=6.3)
        isFailure
        #else
        !isKnown
        #endif
    }
}
