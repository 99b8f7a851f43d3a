internal import RepriseSupport
internal import RepriseTape

/// A request that no recorded exchange answers, or what a client says on a WebSocket that was not
/// recorded so.
public struct ReplayMiss: Sendable, Hashable, CustomStringConvertible {
    /// Why there is no answer.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Nothing of the kind was recorded.
        case noSuchRequest = "replay.noSuchRequest"
        /// It was recorded, and all of it has been asked for before.
        case consumed = "replay.consumed"
        /// It was recorded, and something else is due before it.
        case outOfOrder = "replay.outOfOrder"
        /// There is no tape.
        case noTape = "replay.noTape"
    }

    /// Something that was recorded.
    public struct Recorded: Sendable, Hashable {
        /// The number of the exchange on its tape.
        public var exchange: UInt64
        /// What it is called, e.g. `exchange 2`; with the number of the message on a WebSocket.
        public var name: String
        /// The method and URL path of its request, or what was said.
        public var request: String
        /// Whether it has answered a request already.
        public var isTaken: Bool
        /// In what the request is not this one; empty where it is.
        public var differences: [RequestDifference] = []
    }

    /// Why there is no answer.
    public var kind: Kind
    /// The operation that made the request.
    public var call: UInt64?
    /// The WebSocket on which it was said; nil for a request.
    public var socket: UInt64?
    /// The method and URL path of the request; with the number of the message on a WebSocket.
    public var request: String
    /// What is due in its place; nil where nothing is left, or where anything may come.
    public var due: Recorded?
    /// What was recorded that is most like it; nil where nothing was.
    public var nearest: Recorded?
    /// How often the very request was recorded, where it was and all of it was asked for before.
    public var answered = 0
    /// Whether nothing is left of what its operation, or its WebSocket's client, did.
    var isExhausted = false
    /// What else there is to say.
    var notes: [String] = []
    /// What the matching is called in Swift.
    var matching = "exact"

    init(
        _ kind: Kind, call: UInt64? = nil, socket: UInt64? = nil, request: String
    ) {
        self.kind = kind
        self.call = call
        self.socket = socket
        self.request = request
    }

    /// In what it is not the recorded one that is most like it.
    public var differences: [RequestDifference] { nearest?.differences ?? [] }

    /// The recorded exchange that it concerns: the WebSocket's, the one that is due, or the one most
    /// like it.
    public var exchange: UInt64? { socket ?? due?.exchange ?? nearest?.exchange }

    /// What is thrown for it.
    public var error: TransportError {
        TransportError(how: .failed, TransportError.Code(rawValue: kind.rawValue), message)
    }
}

extension ReplayMiss.Recorded {
    init(_ entry: RequestMatcher.Entry) {
        let request = entry.exchange.request
        self.init(
            exchange: entry.exchange.id, name: entry.name,
            request: "\(request.method) \(Shown.cut(entry.exchange.path))",
            isTaken: entry.isTaken)
    }
}

// MARK: In words

extension ReplayMiss {
    /// What happened, on one line.
    public var message: String {
        switch kind {
        case .noSuchRequest: "\(request) was not recorded\(nearestInWords)"
        case .consumed: "\(request) comes once more than recorded: \(answeredInWords)"
        case .outOfOrder: "\(request) comes out of order: \(orderInWords)"
        case .noTape: "\(request) has no tape to be answered from"
        }
    }

    private var nearestInWords: String {
        guard let nearest else { return ", nor anything else" }
        let first = nearest.differences.first?.description ?? "it differs"
        let more =
            nearest.differences.count > 1 ? " (and \(nearest.differences.count - 1) more)" : ""
        return "; the nearest is \(nearest.name): \(first)\(more)"
    }

    private var answeredInWords: String {
        let name = nearest?.name ?? "another"
        let what = socket == nil ? "has answered a request" : "was said before"
        return answered > 1
            ? "it was recorded \(answered) times, last as \(name), and each \(what)"
            : "it was recorded once, as \(name), which \(what)"
    }

    private var orderInWords: String {
        guard let nearest else { return "it was recorded elsewhere" }
        guard let due else { return "it is \(nearest.name), of another operation" }
        return "it is \(nearest.name), and \(due.name), \(due.request), is due before it"
    }

    /// What happened and what was recorded instead, on several lines: the most similar request with
    /// all that differs, what is due, and what to write in Swift where that is meant.
    public var description: String { text(.swift) }

    /// Where what is to be written is written.
    package enum Hints: Sendable {
        case swift
        case commandLine
    }

    /// The description, with what is to be written there.
    package func text(_ hints: Hints) -> String {
        var lines = [title]
        if let nearest, kind == .noSuchRequest {
            lines.append("  nearest: \(told(nearest))")
            lines += nearest.differences.map { "    \($0)" }
        } else if let nearest, kind == .outOfOrder {
            lines.append("  recorded: \(told(nearest))")
        }
        if let due, due.name != nearest?.name || kind != .noSuchRequest {
            lines.append("  due: \(due.name), \(due.request)")
        }
        lines += (notes + advice(hints)).map { "  \($0)" }
        return lines.joined(separator: "\n")
    }

    private var title: String {
        switch kind {
        case .noSuchRequest where socket != nil: "\(request): no such message was recorded"
        case .noSuchRequest: "\(request): no such request was recorded"
        case .consumed: "\(request): already consumed; \(answeredInWords)"
        case .outOfOrder: "\(request): out of order"
        case .noTape: "\(request): there is no tape"
        }
    }

    private func told(_ recorded: Recorded) -> String {
        "\(recorded.name), \(recorded.request), "
            + (recorded.isTaken ? "already consumed" : "not consumed yet")
    }

    private func advice(_ hints: Hints) -> [String] {
        switch (kind, hints) {
        case (.noSuchRequest, _): declarations(hints)
        case (.consumed, _): ["record again if it is meant to come once more"]
        case (.outOfOrder, .swift):
            ["if the order does not matter: matching: .\(matching).ordered(.free)"]
        case (.outOfOrder, .commandLine): ["if the order does not matter: --match flexible"]
        case (.noTape, _): ["record one"]
        }
    }

    /// How what differs can be declared; nothing where not all can, or it would not help.
    private func declarations(_ hints: Hints) -> [String] {
        guard let nearest, !nearest.isTaken, !differences.isEmpty,
            differences.allSatisfy(\.isDeclarable)
        else { return [] }
        let places = differences.compactMap(\.place)
        let ids = differences.filter(\.looksLikeIdentifier).compactMap(\.place)
        let volatile = "if that may change: " + declaration(places, "ignoring", "volatile", hints)
        if ids.isEmpty { return [volatile] }
        return [
            volatile,
            "if it is an id that is made anew: " + declaration(ids, "mapping", "identifier", hints),
        ]
    }

    private func declaration(
        _ places: [RequestPlace], _ function: String, _ option: String, _ hints: Hints
    ) -> String {
        switch hints {
        case .swift:
            "matching: .\(matching).\(function)(\(places.map(\.code).joined(separator: ", ")))"
        case .commandLine:
            places.map { "--\(option) '\($0.description.replacing("'", with: "'\\''"))'" }
                .joined(separator: " ")
        }
    }
}

extension TransportError.Code {
    /// Whether nothing recorded answers what was asked for or said.
    package var isMiss: Bool { ReplayMiss.Kind(rawValue: rawValue) != nil }
}
