internal import RepriseTape

/// A message of the command line, and the conversation that it goes on with.
struct MessageToSend: Sendable {
    let text: String
    /// Nil begins a conversation.
    let conversation: String?

    /// - Parameter option: The option that names the conversation.
    init(_ arguments: ParsedArguments, goingOnWith option: String) throws {
        text = try MessageArgument.text(arguments.positionals)
        conversation = arguments.value(option)
    }
}

/// The text of a message: words of the command line, or standard input.
enum MessageArgument {
    static let positional = CommandHelp.Positional(
        name: "MESSAGE", maximum: nil,
        text: "The text; several words are joined. A lone - reads it from standard input.")

    /// - Throws: ``UsageError`` for a message without text.
    static func text(_ words: [String]) throws -> String {
        let text = words == ["-"] ? try standardInput() : words.joined(separator: " ")
        guard !text.allSatisfy(\.isWhitespace) else {
            throw UsageError("MESSAGE is empty: say something")
        }
        return text
    }

    private static func standardInput() throws -> String {
        let bytes = try ByteSource.bytes(ofFileAt: "-")
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("standard input is not UTF-8 text")
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
