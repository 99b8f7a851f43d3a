internal import AgoKit
internal import RepriseCurl
internal import RepriseTape
internal import RepriseTransport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the commands of `reprise ago` share: how to reach the service, who asks, and the tape.
struct AgoSession: Sendable {
    private let baseURL: String
    private let origin: String
    private let who: Who
    private let widgetId: String?
    private let caFile: String?
    private let tape: String?
    private let stopsAtDone: Bool

    private enum Who: Sendable {
        case jwt(String)
        case widget(email: String?)
    }

    static let options: [CommandHelp.Option] = [
        .value("--base-url", "URL", "Where the service is, e.g. https://HOST/api/sdk/v1."),
        .value("--origin", "ORIGIN", "The app's origin, which the service must allow."),
        .value(
            "--jwt-env", "VAR",
            "Sign in with the token in that environment variable. A token is not taken from the "
                + "command line, where others can see it."),
        .flag("--widget", "Ask as an anonymous user of the widget."),
        .value("--email", "E-MAIL", "The anonymous user's address, with --widget."),
        .value(
            "--widget-id", "ID",
            "The anonymous id; by default the one of this installation, made at first use."),
        .value(
            "--ca-file", "FILE", "Trust the certificates in that PEM file, not the system's."),
        .value(
            "--tape", "FILE",
            "Record there; by default in Recordings/, named by time and a short id."),
    ]

    static let stopAtDone = CommandHelp.Option.flag(
        "--stop-at-done", "Leave the stream at DONE, before a title or follow-ups can come.")

    init(_ arguments: ParsedArguments) throws(UsageError) {
        baseURL = try arguments.required("--base-url", "where the service is")
        origin = try arguments.required("--origin", "the app's origin")
        let email = arguments.value("--email")
        switch (arguments.value("--jwt-env"), arguments.has("--widget")) {
        case (let variable?, false):
            guard let token = ProcessEnvironment.variables[variable], !token.isEmpty else {
                throw UsageError("--jwt-env: there is no environment variable '\(variable)'")
            }
            if email != nil { throw UsageError("--email goes with --widget") }
            who = .jwt(token)
        case (nil, true): who = .widget(email: email)
        case (nil, false): throw UsageError("who asks? give --jwt-env VAR or --widget")
        case (_?, true): throw UsageError("--jwt-env and --widget exclude each other")
        }
        widgetId = arguments.value("--widget-id")
        caFile = arguments.value("--ca-file")
        tape = arguments.value("--tape")
        stopsAtDone = arguments.has("--stop-at-done")
    }
}

extension AgoSession {
    /// Runs `body` with a client whose session is recorded, and seals the tape whatever happens.
    func record<Value: Sendable>(
        _ terminal: Terminal, _ body: @escaping @Sendable (any AgoChat) async throws -> Value
    ) async throws -> Value {
        let path = try tapePath()
        let recorder = try TapeRecorder(path: path)
        let base = CurlTransport(options: CurlOptions(caFile: caFile))
        let transport = RecordingTransport(base: base, recorder: recorder)
        do {
            let value = try await Interrupts.cancelling {
                try await body(try client(transport))
            }
            try recorder.close()
            terminal.errors.write("Recorded in \(path)\n")
            return value
        } catch {
            terminal.progress("")
            try? recorder.close()
            let lost = recorder.failure.map { "\nRecording stopped before: \($0)" } ?? ""
            throw CommandFailure("\(Self.text(error))\nRecorded in \(path)\(lost)")
        }
    }

    private func client(_ transport: any Transport) throws -> any AgoChat {
        let options = AgoOptions(stopsAtDone: stopsAtDone)
        switch who {
        case .jwt(let token):
            return AgoChatSDK(
                authToken: token, widgetId: try widgetId ?? WidgetIdFile.standard.read(),
                origin: origin, baseURL: baseURL, transport: transport, options: options)
        case .widget(let email):
            if let widgetId {
                return AgoChatWidgetSDK(
                    widgetId: widgetId, origin: origin, userEmail: email, baseURL: baseURL,
                    transport: transport, options: options)
            }
            return AgoChatWidgetSDK(
                origin: origin, userEmail: email, baseURL: baseURL, transport: transport,
                options: options)
        }
    }

    private static func text(_ error: any Error) -> String {
        guard let error = error as? AgoError else { return "\(error)" }
        var text = error.message
        if let words = error.serverMessage ?? error.serverCode {
            text += "\nThe service says: \(OutputStream.printable(words))"
        }
        if let seconds = error.retryAfter { text += "\nIt asks to wait for \(seconds) s." }
        return text
    }

    /// `Recordings/2026-11-30T06-06-00Z-1a2b3c.tape`, without what file systems refuse.
    private func tapePath() throws -> String {
        if let tape { return tape }
        let folder = "Recordings"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let time = WallTime.now().rfc3339.prefix(19).replacing(":", with: "-")
        let id = String(UInt32.random(in: 0x100_0000...0xfff_ffff), radix: 16).prefix(6)
        return "\(folder)/\(time)Z-\(id).tape"
    }
}
