internal import RepriseSession

/// Chooses which dialect reads an exchange.
struct DialectTable {
    private let dialects: [any Dialect]
    private let generic = GenericDialect()
    private let forced: String?
    /// Names that the tape's `client` frames gave, in order.
    private var clients: [String] = []

    init(_ dialects: [any Dialect], forced: String?) {
        self.dialects = dialects
        self.forced = forced
    }

    typealias Choice = (dialect: any Dialect, reason: DialectUse.Reason)

    /// The tape says which client follows.
    mutating func note(client name: String) {
        guard !clients.contains(name), named(name) != nil else { return }
        clients.append(name)
    }

    /// Operations that are turns, for every client that may have made them.
    var turnOperations: Set<String> {
        if let forced { return named(forced)?.turnOperations ?? [] }
        let relevant = clients.isEmpty ? dialects : clients.compactMap(named)
        return relevant.reduce(into: []) { $0.formUnion($1.turnOperations) }
    }

    /// The dialect for a request.
    func choose(for exchange: ExchangeHead) -> Choice {
        if let forced { return (named(forced) ?? generic, .forced) }
        let owners = clients.compactMap(named)
        if let owner = owners.first(where: { $0.claims(exchange) }) ?? owners.last {
            return (owner, .client)
        }
        if let dialect = dialects.first(where: { $0.claims(exchange) }) {
            return (dialect, .request)
        }
        return (generic, .none)
    }

    /// The dialect that knows the first event of an exchange whose request none knew.
    func choose(firstEvent data: String, of exchange: ExchangeHead) -> Choice? {
        dialects.first { $0.claims(firstEvent: data, of: exchange) }.map { ($0, .event) }
    }

    /// The dialect of that name.
    func named(_ name: String) -> (any Dialect)? {
        name == generic.name ? generic : dialects.first { $0.name == name }
    }
}
