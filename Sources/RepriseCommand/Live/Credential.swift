/// A secret that a command takes from the environment, where other users cannot see it.
enum Credential {
    /// The value of the variable that `option` names; nil where the option is not given.
    ///
    /// - Throws: What is wrong, without the name that was given: it may be the secret itself.
    static func value(of option: String, _ arguments: ParsedArguments) throws(UsageError) -> String?
    {
        guard let variable = arguments.value(option) else { return nil }
        guard isName(variable) else {
            throw UsageError(
                "\(option) takes the name of an environment variable that holds the token, such "
                    + "as MY_TOKEN, and not the token")
        }
        guard let value = ProcessEnvironment.variables[variable] else {
            throw UsageError("\(option): there is no environment variable of that name")
        }
        guard !value.allSatisfy(\.isWhitespace) else {
            throw UsageError("\(option): that environment variable is empty")
        }
        guard !value.contains(where: { $0.isWhitespace }) else {
            throw UsageError("\(option): the token in that environment variable holds a blank")
        }
        return value
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
        return text.utf8.allSatisfy {
            $0 == 95 || (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
        }
    }
}
