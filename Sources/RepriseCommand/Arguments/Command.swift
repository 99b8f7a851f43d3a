/// A verb of `reprise`.
protocol Command: Sendable {
    /// What `--help` says; the parser accepts exactly what stands here.
    static var help: CommandHelp { get }

    /// Reads its arguments.
    ///
    /// - Throws: ``UsageError`` for a value that does not fit, which ends with exit code 2.
    init(_ arguments: ParsedArguments) throws

    /// Does the work. An error ends with exit code 1 and its text on standard error.
    func run(_ terminal: Terminal) async throws -> ExitStatus
}

/// How the process ends.
enum ExitStatus: Int32, Sendable {
    /// All went well.
    case success = 0
    /// Something was found, or the work failed.
    case failure = 1
    /// The command line cannot be understood.
    case usage = 2
}

/// A failure to tell the user, whose text is complete in itself.
struct CommandFailure: Error, CustomStringConvertible {
    /// What failed and why, and more to know about it.
    let lines: [String]
    var description: String { lines.joined(separator: "\n") }

    init(_ description: String) { lines = [description] }

    init(lines: [String]) { self.lines = lines }
}
