import TestSupport

/// A stand-in for AGO, a user, and the commands of one session.
struct AgoSession: Sendable {
    /// The user's token, to be found nowhere.
    static let token = "eyJhbGciOiJub25lIn0.cGxhbnRlZC1zZWNyZXQ.k9Qx71"
    static let widgetId = "0b8f4a52-6a0e-4f7e-9d8d-3a1f6a7c2e55"

    let peer: Peer
    let folder: TemporaryFolder

    init(_ arguments: String...) async throws {
        folder = try TemporaryFolder()
        peer = try await Peer.start("ago", ["--token", Self.token] + arguments)
    }

    /// `reprise` with the user's environment.
    func reprise(_ arguments: [String]) throws -> Command {
        var command = Command(try Workspace.command, arguments)
        command.environment = ["AGO_JWT": Self.token, "HOME": folder.path]
        command.folder = folder.path
        return command
    }

    /// `reprise ago VERB …` as a signed-in user, or in the widget; the tape is `NAME.tape`.
    func ago(
        _ verb: String, _ words: String..., tape: String, widget: Bool = false
    ) throws -> Command {
        let who = widget ? ["--widget", "--email", "ann@example.com"] : ["--jwt-env", "AGO_JWT"]
        return try reprise(
            [
                "ago", verb, "--base-url", peer.agoURL, "--origin", "https://app.example.com",
                "--widget-id", Self.widgetId, "--tape", "\(tape).tape",
            ] + who + words)
    }

    /// The frames of a tape, as `reprise cat` gives them.
    func frames(_ tape: String) async throws -> [TapeLine] {
        let result = try await reprise(["cat", tape]).run()
        return try TapeLine.read(result.output)
    }
}
