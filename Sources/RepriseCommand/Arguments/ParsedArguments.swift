/// A command line after parsing: only declared options, each with a value where it needs one.
struct ParsedArguments: Sendable {
    /// What stands without a name, in order.
    private(set) var positionals: [String] = []
    private var flags: Set<String> = []
    private var given: [String: [String]] = [:]
    /// Whether `--help` or `-h` is among them.
    private(set) var asksForHelp = false

    /// Parses `words` by what `help` declares.
    ///
    /// `--name value`, `--name=value`, `-n value`, `-nvalue`; after `--` everything is positional;
    /// a lone `-` is positional (standard input or output).
    init(_ words: [String], for help: CommandHelp) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                positionals += rest
                rest = []
            }
            if word == "--help" || word == "-h" {
                asksForHelp = true
            } else if word.hasPrefix("--help=") {
                throw UsageError("--help takes no value")
            } else if word.hasPrefix("-") && word != "-" {
                try takeOption(word, from: &rest, help)
            } else {
                positionals.append(word)
            }
        }
        if !asksForHelp { try checkPositionals(help) }
    }

    private mutating func takeOption(
        _ word: String, from rest: inout ArraySlice<String>, _ help: CommandHelp
    ) throws(UsageError) {
        let (name, attached) = Self.split(word)
        guard let option = help.options.first(where: { $0.name == name || $0.short == name })
        else { throw Self.unknown(name, help) }
        guard let placeholder = option.value else {
            if attached != nil { throw UsageError("\(option.name) takes no value") }
            flags.insert(option.name)
            return
        }
        guard let value = attached ?? rest.popFirst() else {
            throw UsageError("\(option.name) needs a value: \(option.name) \(placeholder)")
        }
        if value.allSatisfy(\.isWhitespace) {
            throw UsageError("\(option.name) is empty: \(option.name) \(placeholder)")
        }
        if !option.isRepeatable && given[option.name] != nil {
            throw UsageError("\(option.name) is given twice")
        }
        given[option.name, default: []].append(value)
    }

    private static func split(_ word: String) -> (name: String, attached: String?) {
        if word.hasPrefix("--") {
            guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
            return (String(word[..<equals]), String(word[word.index(after: equals)...]))
        }
        let name = String(word.prefix(2))
        return (name, word.count > 2 ? String(word.dropFirst(2)) : nil)
    }

    private static func unknown(_ name: String, _ help: CommandHelp) -> UsageError {
        let names = help.options.map(\.name) + ["--help"]
        return UsageError("unknown option \(name)" + Suggestion.text(for: name, among: names))
    }

    private func checkPositionals(_ help: CommandHelp) throws(UsageError) {
        var minimum = 0
        var maximum: Int? = 0
        for positional in help.positionals {
            minimum += positional.minimum
            if positionals.count < minimum {
                throw UsageError("\(positional.name) is missing: \(positional.text)")
            }
            maximum = maximum.flatMap { sum in positional.maximum.map { sum + $0 } }
        }
        if let maximum, positionals.count > maximum {
            throw UsageError("unexpected argument '\(positionals[maximum])'")
        }
    }

    /// Whether the switch is there.
    func has(_ name: String) -> Bool { flags.contains(name) }

    /// The value of an option, or nil.
    func value(_ name: String) -> String? { given[name]?.last }

    /// All values of a repeatable option.
    func values(_ name: String) -> [String] { given[name] ?? [] }

    /// The value of an option that must be there.
    func required(_ name: String, _ what: String) throws(UsageError) -> String {
        guard let value = value(name) else { throw UsageError("\(name) is missing: \(what)") }
        return value
    }

    /// The converted value of an option, or nil where it is not given.
    func value<T>(
        _ name: String, _ expected: String, _ convert: (String) -> T?
    ) throws(UsageError) -> T? {
        guard let text = value(name) else { return nil }
        guard let value = convert(text) else {
            throw UsageError("\(name) is \(expected), not '\(text)'")
        }
        return value
    }
}
