package import RepriseTape
internal import RepriseWire

/// Recorded exchanges for clients that know nothing of the recording: each request takes the first
/// one that is left and whose request it can be, whatever was asked for before.
///
/// It may come from any host, with header fields of its own; see
/// ``RequestComparison/differences(of:)``.
package struct RequestShelf {
    /// What answers a request.
    package enum Answer: Sendable {
        /// The exchange at that place of those given.
        case found(Int)
        /// None.
        case miss(ShelfMiss)
    }

    private struct Entry {
        var recorded: MaskedRequest
        var isWhole: Bool
        var isWebSocket: Bool
        var path: String
        var client: ForeignClient
        var isTaken = false
    }

    private var entries: [Entry] = []
    private var redactor = Redactor()

    /// The exchanges, each with the recording that it is of.
    ///
    /// - Throws: ``TapeError`` for a request that cannot be read.
    package init(
        _ exchanges: [(recording: Recording, exchange: Recording.Exchange)]
    ) throws(TapeError) {
        for (recording, exchange) in exchanges {
            let request = try recording.maskedRequest(of: exchange)
            entries.append(
                Entry(
                    recorded: request, isWhole: exchange.isRequestWhole,
                    isWebSocket: exchange.request.transport == .websocket,
                    path: URLForm(exchange.request.url.description).path,
                    client: ForeignClient(recording)))
        }
    }

    /// Takes the exchange that answers `request`.
    package mutating func take(_ request: Request, isWebSocket: Bool = false) -> Answer {
        let path = URLForm(request.url).path
        var nearest: (place: Int, differences: [RequestDifference])?
        guard let now = masked(request) else {
            return .miss(ShelfMiss(.unknown, request, nearest: nil))
        }
        var isConsumed = false
        for (place, entry) in entries.enumerated()
        where entry.isWebSocket == isWebSocket && entry.path == path {
            let differences = RequestComparison(
                recorded: entry.recorded, isWhole: entry.isWhole, now: now
            ).differences(of: entry.client)
            if differences.isEmpty && !entry.isTaken {
                entries[place].isTaken = true
                return .found(place)
            }
            isConsumed = isConsumed || differences.isEmpty
            if nearest.map({ differences.count < $0.differences.count }) ?? true {
                nearest = (place, differences)
            }
        }
        return .miss(ShelfMiss(isConsumed ? .consumed : .unknown, request, nearest: nearest))
    }

    private mutating func masked(_ request: Request) -> MaskedRequest? {
        try? MaskedRequest(
            AsSent.head(request), body: request.body, sensitive: request.sensitive,
            redactor: &redactor)
    }
}

/// A request that no recorded exchange answers.
package struct ShelfMiss: Sendable {
    /// Why.
    package enum Reason: String, Sendable {
        /// Nothing of the kind was recorded.
        case unknown = "replay.noSuchRequest"
        /// It was recorded, and all of it has been asked for before.
        case consumed = "replay.consumed"
    }

    /// Why.
    package let reason: Reason
    /// Its method and path.
    package let request: String
    /// The place of the recorded exchange that is most like it; nil where none has its path.
    package let nearest: Int?
    /// In what it is not the nearest one.
    package let differences: [RequestDifference]

    init(
        _ reason: Reason, _ request: Request,
        nearest: (place: Int, differences: [RequestDifference])?
    ) {
        self.reason = reason
        self.request = "\(request.method) \(Shown.cut(URLForm(request.url).path))"
        self.nearest = nearest?.place
        differences = nearest?.differences ?? []
    }

    /// What happened, on one line.
    ///
    /// - Parameter name: What the exchange at a place is called.
    package func message(_ name: (Int) -> String) -> String {
        switch (reason, nearest) {
        case (.consumed, let place?):
            return "\(request) was asked for more often than it was recorded: \(name(place)) "
                + "has answered it"
        case (.unknown, let place?):
            let more =
                differences.count > 1 ? " (and \(differences.count - 1) more)" : ""
            return "\(request) was not recorded; the nearest is \(name(place)): "
                + "\(differences.first?.description ?? "it differs")\(more)"
        case (_, nil): return "\(request) was not recorded, nor anything at its path"
        }
    }
}
