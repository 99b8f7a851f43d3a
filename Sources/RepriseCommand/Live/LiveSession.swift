internal import RepriseCurl
internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What every command that talks to a service shares: how to reach it, and the tape.
struct LiveSession: Sendable {
    private let baseURL: String
    private let caFile: String?
    private let timeouts: Timeouts
    private let tape: LiveTape

    static let options: [CommandHelp.Option] = [
        .value(
            "--base-url", "URL", required: true,
            "Where the service is; the paths of its operations are appended."),
        .value(
            "--ca-file", "FILE", "Trust the certificates in that PEM file, not the system's."),
        .value(
            "--idle-timeout", "SECONDS",
            "How long nothing may come before the exchange is given up; 120 by default."),
    ]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        baseURL = try arguments.required("--base-url", "where the service is")
        if let fault = BaseURL.fault(in: baseURL) { throw UsageError("--base-url \(fault)") }
        caFile = arguments.value("--ca-file")
        if let caFile, unsafe access(caFile, R_OK) != 0 {
            throw UsageError("--ca-file cannot be read: \(SystemText.message(errno))")
        }
        var timeouts = Timeouts()
        if let idle = try arguments.value("--idle-timeout", "a number of seconds", Self.seconds) {
            timeouts.idle = idle
        }
        self.timeouts = timeouts
        tape = try LiveTape(arguments)
    }

    static func seconds(_ text: String) -> Int64? {
        guard let value = Double(text), value > 0, value <= 1_000_000 else { return nil }
        return Int64(value * 1_000_000_000)
    }

    /// What a client needs to reach the service.
    struct Connection: Sendable {
        let baseURL: String
        let timeouts: Timeouts
        let transport: any Transport
    }

    /// Runs `body` with a recorded transport, and seals the tape whatever happens; Ctrl-C cancels
    /// it.
    ///
    /// - Parameter text: The text of the client's own errors; nil for others.
    func record<Value: Sendable>(
        _ terminal: Terminal, text: (any Error) -> String?,
        _ body: @escaping @Sendable (Connection) async throws -> Value
    ) async throws -> Value {
        let path = try tape.path()
        let recorder = try TapeRecorder(path: path, replacing: tape.replaces)
        let base = CurlTransport(options: CurlOptions(caFile: caFile))
        let connection = Connection(
            baseURL: baseURL, timeouts: timeouts,
            transport: RecordingTransport(base: base, recorder: recorder))
        do {
            let value = try await Interrupts.cancelling { try await body(connection) }
            try recorder.close()
            terminal.errors.write("Recorded in \(OutputStream.line(path))\n")
            return value
        } catch {
            terminal.progress("")
            try? recorder.close()
            let lines = (text(error) ?? "\(error)").split(separator: "\n").map(String.init)
            if let lost = recorder.failure {
                throw CommandFailure(
                    lines: (error is TapeError ? [] : lines)
                        + ["Recording in \(path) stopped: \(lost)"])
            }
            throw CommandFailure(lines: lines + ["Recorded in \(path)"])
        }
    }
}

extension LiveSession {
    /// The failure of a service with its own words, where it has some.
    static func text(_ message: String, words: String?, retryAfter: Int?) -> String {
        var text = message
        if let words, !words.isEmpty {
            text += "\nThe service says: \(OutputStream.line(words))"
        }
        if let retryAfter { text += "\nIt asks to wait for \(retryAfter) s." }
        return text
    }
}
