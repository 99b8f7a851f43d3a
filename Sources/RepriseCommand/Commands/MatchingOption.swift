internal import RepriseTransport

/// `--match`, `--volatile`, `--identifier` and `--match-header`, the same for all verbs that match
/// requests.
enum MatchingOption {
    private static let kinds =
        "json:PATH (as in json:$.messages[*].id), query:NAME, header:NAME, "
        + "path:PATTERN (* for a segment) or part:NAME of a multipart body"

    /// - Parameter fallback: What holds where nothing is said.
    static func options(_ fallback: String) -> [CommandHelp.Option] {
        [
            .value(
                "--match", "HOW",
                "exact or flexible: whether a request has to be the recorded one as it was "
                    + "written and in its place, or by what it means, with any other header "
                    + "fields, to any host, in any order; by default \(fallback)."),
            .value(
                "--volatile", "PLACE", repeatable: true,
                "Where a request, or a message on a WebSocket, may have anything or nothing: "
                    + "\(kinds)."),
            .value(
                "--identifier", "PLACE", repeatable: true,
                "Where it has an id that the client makes anew: the new one then stands for the "
                    + "recorded one, in what the client sends and in what it gets."),
            .value(
                "--match-header", "NAME", repeatable: true,
                "Of the header fields compare only this, beside Content-Type and Accept."),
        ]
    }

    /// What is said of matching; nil for nothing.
    static func matching(
        _ arguments: ParsedArguments, _ fallback: RequestMatching
    ) throws(UsageError) -> RequestMatching? {
        let named = try arguments.value("--match", "exact or flexible") {
            ["exact": RequestMatching.exact, "flexible": .flexible][$0]
        }
        let volatile = try places("--volatile", arguments)
        let identifiers = try places("--identifier", arguments)
        let headers = arguments.values("--match-header")
        if named == nil, volatile.isEmpty, identifiers.isEmpty, headers.isEmpty { return nil }
        var matching = (named ?? fallback).ignoring(volatile).mapping(identifiers)
        if !headers.isEmpty { matching.fields = .only(headers) }
        return matching
    }

    /// The first of the options that is given.
    static func given(_ arguments: ParsedArguments) -> String {
        let names = ["--match", "--volatile", "--identifier", "--match-header"]
        return names.first { !arguments.values($0).isEmpty } ?? names[0]
    }

    private static func places(
        _ name: String, _ arguments: ParsedArguments
    ) throws(UsageError) -> [RequestPlace] {
        var places: [RequestPlace] = []
        for text in arguments.values(name) {
            do throws(RequestPlaceError) { places.append(try RequestPlace(text)) } catch {
                throw UsageError("\(name): \(error)")
            }
        }
        return places
    }
}
