/// The description of a verb: the one source of its parsing and of its help.
struct CommandHelp: Sendable {
    /// An option, e.g. `-o, --output DIR`.
    struct Option: Sendable {
        /// The long name with its dashes.
        let name: String
        /// A short name with its dash.
        var short: String?
        /// What stands for its value in the help; nil for a switch.
        var value: String?
        /// Whether it may be given more than once.
        var isRepeatable = false
        /// Whether the command cannot do without it.
        var isRequired = false
        let text: String

        /// A switch.
        static func flag(_ name: String, short: String? = nil, _ text: String) -> Option {
            Option(name: name, short: short, text: text)
        }

        /// An option with a value.
        static func value(
            _ name: String, short: String? = nil, _ value: String, repeatable: Bool = false,
            required: Bool = false, _ text: String
        ) -> Option {
            Option(
                name: name, short: short, value: value, isRepeatable: repeatable,
                isRequired: required, text: text)
        }
    }

    /// What stands without a name.
    struct Positional: Sendable {
        let name: String
        var minimum = 1
        /// nil for any number.
        var maximum: Int? = 1
        let text: String
    }

    /// The words that call it, e.g. `ago send`.
    let name: String
    /// One sentence without a full stop.
    let abstract: String
    /// More, in paragraphs of one line each.
    var discussion: [String] = []
    var positionals: [Positional] = []
    var options: [Option] = []
    /// A command line and what it does.
    var examples: [(line: String, text: String)] = []
}

extension CommandHelp {
    /// The line behind `Usage:`.
    var usage: String {
        var words = ["reprise", name]
        for option in options.filter(\.isRequired) + options.filter({ !$0.isRequired }) {
            let value = option.value.map { " \($0)" } ?? ""
            let ellipsis = option.isRepeatable ? "..." : ""
            let word = "\(option.name)\(value)"
            words.append(option.isRequired ? word : "[\(word)]\(ellipsis)")
        }
        for positional in positionals {
            let ellipsis = positional.maximum == 1 ? "" : "..."
            let word = "\(positional.name)\(ellipsis)"
            words.append(positional.minimum == 0 ? "[\(word)]" : word)
        }
        return words.joined(separator: " ")
    }

    /// The whole help page, `width` columns wide.
    func page(width: Int) -> String {
        var text = "\(abstract).\n\n"
        text += TextLayout.wrapped("Usage: \(usage)", width: width, hanging: 7) + "\n"
        for paragraph in discussion {
            text += "\n" + TextLayout.wrapped(paragraph, width: width) + "\n"
        }
        text += section(
            "Arguments", positionals.map { ($0.name, $0.text) }, width: width)
        let help = Option.flag(
            "--help", short: "-h",
            "Show this help. After --, words that begin with - are arguments.")
        text += section(
            "Options", (options + [help]).map { (label(of: $0), $0.text) }, width: width)
        if !examples.isEmpty {
            text += "\nExamples:\n"
            for example in examples {
                text += "  \(example.line)\n"
                text += TextLayout.wrapped("      " + example.text, width: width, hanging: 6) + "\n"
            }
        }
        return text
    }

    private func label(of option: Option) -> String {
        let short = option.short.map { "\($0), " } ?? "    "
        return short + option.name + (option.value.map { " \($0)" } ?? "")
    }

    private func section(_ title: String, _ rows: [(String, String)], width: Int) -> String {
        guard !rows.isEmpty else { return "" }
        return "\n\(title):\n" + TextLayout.definitions(rows, width: width)
    }
}
