internal import RepriseSupport
internal import RepriseTransport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Where a live session is recorded.
struct LiveTape: Sendable {
    private let file: String?
    /// Whether a tape that is there gives way, once the new one is whole.
    let replaces: Bool

    static let options: [CommandHelp.Option] = [
        .value(
            "--tape", "FILE",
            "Record there; by default in Recordings/, named by time and a short id."),
        .flag("--replace", "Let the new tape take the place of one of that name."),
    ]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        file = arguments.value("--tape")
        replaces = arguments.has("--replace")
        if file == "-" {
            throw UsageError("--tape needs a file: standard output is for the answer")
        }
        if replaces && file == nil { throw UsageError("--replace goes with --tape") }
    }

    /// The path, in a folder that exists: `Recordings/2026-11-30T06-06-00Z-1a2b3c.tape`, without
    /// what file systems refuse, if none was given.
    func path() throws -> String {
        if let file { return file }
        let folder = "Recordings"
        if unsafe mkdir(folder, 0o777) != 0 && errno != EEXIST {
            throw CommandFailure(
                "the folder \(folder) for tapes cannot be made here: "
                    + "\(SystemText.message(errno)); name a place with --tape FILE")
        }
        let time = WallTime.now().rfc3339.prefix(19).replacing(":", with: "-")
        let id = String(UInt32.random(in: 0x100_0000...0xfff_ffff), radix: 16).prefix(6)
        return "\(folder)/\(time)Z-\(id).tape"
    }
}
