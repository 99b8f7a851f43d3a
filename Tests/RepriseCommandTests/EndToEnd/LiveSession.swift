import TestSupport

/// A stand-in, a user, and the commands of one session.
protocol LiveSession: Sendable {
    var peer: Peer { get }
    var folder: TemporaryFolder { get }
    /// The user's environment beside its home.
    static var environment: [String: String] { get }
}

extension LiveSession {
    /// `reprise` with the user's environment.
    func reprise(_ arguments: [String]) throws -> Command {
        var command = Command(try Workspace.command, arguments)
        command.environment = Self.environment.merging(["HOME": folder.path]) { old, _ in old }
        command.folder = folder.path
        return command
    }

    /// The frames of a tape, as `reprise cat` gives them.
    func frames(_ tape: String) async throws -> [TapeLine] {
        let result = try await reprise(["cat", tape]).run()
        return try TapeLine.read(result.output)
    }
}
