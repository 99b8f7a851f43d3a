import RepriseTape
import RepriseTransport
import TestSupport
import Testing

/// The verbs of a vendor, such as `reprise ago …`, in a folder of their own against its stand-in.
struct VendorSessions {
    static let token = "a-token-that-nobody-may-see"

    let folder: TemporaryFolder
    let peer: Peer
    private let vendor: String
    private let reach: [String]

    static func ago() async throws -> VendorSessions {
        try await VendorSessions("ago") { peer in
            ["--base-url", peer.agoURL, "--origin", "https://app.example.com"]
        }
    }

    static func chatbase() async throws -> VendorSessions {
        try await VendorSessions("chatbase") { peer in
            ["--base-url", peer.chatbaseURL, "--agent", "a1"]
        }
    }

    static func cometchat() async throws -> VendorSessions {
        try await VendorSessions("cometchat") { peer in
            [
                "--base-url", peer.cometChatURL, "--socket-url", peer.cometChatSocketURL,
                "--app-id", "app1", "--auth-token-env", "COMETCHAT_TOKEN",
            ]
        }
    }

    private init(_ vendor: String, _ reach: (Peer) -> [String]) async throws {
        self.vendor = vendor
        folder = try TemporaryFolder()
        peer = try await Peer.start(vendor, "--pace", "0", "--token", Self.token)
        self.reach = reach(peer)
    }

    func command(_ words: [String]) throws -> Command {
        var command = Command(
            try Workspace.command, [vendor, words[0]] + reach + words.dropFirst())
        command.folder = folder.path
        command.environment = [
            "AGO_JWT": Self.token, "CHATBASE_TOKEN": Self.token,
            "COMETCHAT_TOKEN": Self.token,
            "XDG_DATA_HOME": folder.file("data"),
        ]
        return command
    }

    /// Checks a tape of the folder.
    func check(_ tape: String, _ options: String...) async throws -> Command.Result {
        var check = Command(try Workspace.command, ["replay", tape, "--check"] + options)
        check.folder = folder.path
        return try await check.run()
    }

    /// A tape of the folder.
    func recording(_ tape: String) throws -> Recording {
        try Recording(path: folder.file(tape))
    }

    /// Runs it into `tape`, and sees that the tape does the same again and nothing shows the token.
    func run(_ words: [String], tape: String) async throws -> Command.Result {
        let result = try await command(words + ["--tape", tape]).run()
        #expect(result.errorText.contains("Recorded in \(tape)"), "\(result.errorText)")
        #expect(!(result.text + result.errorText).contains(Self.token))
        let again = try await check(tape)
        #expect(again.status == 0, "\(again.text)\(again.errorText)")
        let recording = try recording(tape)
        #expect(recording.isSealed)
        let payloads = recording.frames.map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(!payloads.contains { $0.contains(Self.token) })
        return result
    }

    /// Runs it until `file` of the folder has something in it, and then interrupts it as Ctrl-C
    /// does; its standard output goes to the file `out`.
    func interrupt(_ words: [String], once file: String) async throws -> Command.Result {
        let command = try command(words)
        let script = "(until [ -s \(file) ]; do :; done; kill -INT $$) & exec \"$0\" \"$@\" >out"
        var shell = Command("/bin/sh", ["-c", script, command.path] + command.arguments)
        shell.folder = command.folder
        shell.environment = command.environment
        return try await shell.run()
    }
}
