internal import RepriseTransport

/// `--fault`, the same for all verbs that take it.
enum FaultOption {
    private static let name = "--fault"

    /// - Parameter text: What it is good for there, with a colon.
    static func option(_ text: String) -> CommandHelp.Option {
        .value(
            name, "FAULT", repeatable: true,
            text + " cut, stall, duplicate, reorder, corrupt, slow or status=NUMBER, and behind an "
                + "@ where: event:N, byte:N or time:2s, exchange:N, method:NAME, path:PATTERN, and "
                + "its settings, with commas between: end=fin (of a cut), for=5s (of a stall), "
                + "delay=50ms or factor=3 (of slow), body=TEXT (of a status).")
    }

    static func faults(_ arguments: ParsedArguments) throws(UsageError) -> [Fault] {
        var faults: [Fault] = []
        for text in arguments.values(name) {
            do throws(FaultSyntaxError) { faults.append(try Fault(text)) } catch {
                throw UsageError("\(name): \(error.message)")
            }
        }
        return faults
    }
}
