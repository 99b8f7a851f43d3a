internal import RepriseSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Finds the verb, parses, runs, and turns every outcome into an exit status.
struct CommandLineRunner {
    let terminal: Terminal

    func run(_ words: [String]) async -> ExitStatus {
        let status = await dispatch(words)
        // A result that could not be written whole is no success; a reader that went away had
        // enough.
        let number = terminal.output.errorNumber
        if number == 0 || number == EPIPE { return status }
        let reason = unsafe String(cString: strerror(number))
        terminal.complain("cannot write to standard output: \(reason)")
        return .failure
    }

    private func dispatch(_ words: [String]) async -> ExitStatus {
        guard let first = words.first else {
            terminal.errors.write(overview())
            return .usage
        }
        if ["--help", "-h", "help"].contains(first) { return help(Array(words.dropFirst())) }
        if ["--version", "version"].contains(first), words.count == 1 {
            terminal.print("reprise \(RepriseVersion.text)")
            return .success
        }
        guard let (command, rest) = find(words) else { return unknown(words) }
        return await run(command, rest)
    }

    private func run(_ command: any Command.Type, _ words: [String]) async -> ExitStatus {
        let name = command.help.name
        do {
            let arguments = try ParsedArguments(words, for: command.help)
            if arguments.asksForHelp {
                terminal.output.write(command.help.page(width: min(terminal.output.width, 100)))
                return .success
            }
            return try await command.init(arguments).run(terminal)
        } catch let error as UsageError {
            terminal.complain("\(name): \(error)", then: ["Try 'reprise \(name) --help'."])
            return .usage
        } catch {
            terminal.progress("")
            let lines = (error as? CommandFailure)?.lines ?? ["\(error)"]
            terminal.complain("\(name): \(lines.first ?? "")", then: Array(lines.dropFirst()))
            return .failure
        }
    }

    /// The longest verb that `words` begins with, and the words behind it.
    private func find(_ words: [String]) -> (any Command.Type, [String])? {
        let matches = CommandList.all.filter {
            words.starts(with: $0.help.name.split(separator: " ").map(String.init))
        }
        guard let best = matches.max(by: { $0.help.name.count < $1.help.name.count }) else {
            return nil
        }
        let length = best.help.name.split(separator: " ").count
        return (best, Array(words.dropFirst(length)))
    }

    private func unknown(_ words: [String]) -> ExitStatus {
        let group = verbs(under: words[0])
        if !group.isEmpty {
            if words.contains("--help") || words.contains("-h") { return help([words[0]]) }
            let names = group.map { String($0.help.name.dropFirst(words[0].count + 1)) }
            terminal.complain("\(words[0]): " + problem(words.dropFirst().first, names))
            return .usage
        }
        let names = CommandList.all.map { $0.help.name }
        let hint = Suggestion.text(for: words[0], among: names)
        terminal.complain(
            "unknown command '\(words[0])'\(hint)", then: ["Try 'reprise --help'."])
        return .usage
    }

    private func problem(_ word: String?, _ names: [String]) -> String {
        let list = "one of: " + names.joined(separator: ", ")
        guard let word else { return "a command is missing, " + list }
        let hint = Suggestion.text(for: word, among: names)
        return "unknown command '\(word)'" + (hint.isEmpty ? "; it is " + list : hint)
    }

    private func verbs(under group: String) -> [any Command.Type] {
        CommandList.all.filter { $0.help.name.hasPrefix(group + " ") }
    }

    private func help(_ words: [String]) -> ExitStatus {
        let width = min(terminal.output.width, 100)
        guard let first = words.first else {
            terminal.output.write(overview())
            return .success
        }
        if let (command, _) = find(words) {
            terminal.output.write(command.help.page(width: width))
            return .success
        }
        let group = verbs(under: first)
        guard !group.isEmpty else { return unknown(words) }
        let rows = group.map { ($0.help.name, $0.help.abstract + ".") }
        terminal.output.write("Commands:\n" + TextLayout.definitions(rows, width: width))
        return .success
    }

    private func overview() -> String {
        let width = min(terminal.output.width, 100)
        let rows = CommandList.all.map { ($0.help.name, $0.help.abstract + ".") }
        return """
            Records, replays and analyzes AI-agent chat sessions as they cross the wire.

            Usage: reprise COMMAND [OPTION]... [ARGUMENT]...

            Commands:
            \(TextLayout.definitions(rows, width: width))
            Every command takes a .jsonl file wherever it takes a tape, and - for standard input.
            'reprise COMMAND --help' explains a command. Exit status: 0 for success, 1 for findings
            or failures, 2 for wrong usage.

            """
    }
}
