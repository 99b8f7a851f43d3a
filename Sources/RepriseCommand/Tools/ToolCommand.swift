internal import RepriseWire

/// A tool of the app that is a command of the shell: given the input's JSON on standard input, it
/// prints the output's JSON.
struct ToolCommand: Sendable {
    let name: String
    private let line: String
    private let environment: [String: String]

    static let option = CommandHelp.Option.value(
        "--tool", "NAME=COMMAND", repeatable: true,
        "Run that shell command when the agent asks for that tool: it gets the input as JSON on "
            + "standard input and prints the output as JSON; where its exit status is not 0, the "
            + "tool has failed.")

    /// The tools of a command line.
    ///
    /// - Parameter secret: The environment variable of a credential, which tools do not get.
    static func all(
        _ arguments: ParsedArguments, hiding secret: String? = nil
    ) throws(UsageError) -> [ToolCommand] {
        var environment = ProcessEnvironment.variables
        if let secret { environment[secret] = nil }
        var tools: [ToolCommand] = []
        for text in arguments.values(option.name) {
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex,
                text.index(after: equals) < text.endIndex
            else {
                throw UsageError("--tool is NAME=COMMAND, not '\(text)'")
            }
            let name = String(text[..<equals])
            if tools.contains(where: { $0.name == name }) {
                throw UsageError("--tool \(name) is given twice")
            }
            tools.append(
                ToolCommand(
                    name: name, line: String(text[text.index(after: equals)...]),
                    environment: environment))
        }
        return tools
    }

    /// Runs the command.
    ///
    /// - Returns: What it printed.
    /// - Throws: ``CommandFailure`` where it failed or printed no JSON; `CancellationError` where
    ///   the task was cancelled, which ends the command.
    func run(_ input: JSON) async throws -> JSON {
        let ending = try await ChildProcess(
            "/bin/sh", ["-c", line], environment: environment
        ).run(input: input.serializedBytes + [0x0A])
        switch ending.how {
        case .exited(0): break
        case .exited(let status):
            throw CommandFailure("the tool's command ended with status \(status)")
        case .signalled(let signal):
            throw CommandFailure("the tool's command was ended by signal \(signal)")
        case .wroteTooMuch:
            throw CommandFailure("the tool's command printed more than a tool may give")
        }
        guard let output = try? JSON.parse(ending.output) else {
            throw CommandFailure("the tool's command printed no JSON")
        }
        return output.value
    }
}
