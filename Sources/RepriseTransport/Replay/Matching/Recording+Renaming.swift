internal import RepriseTape
internal import RepriseWire

extension Recording.Exchange {
    /// The exchange with other ids in the places of recorded ones in its responses: in the values
    /// of header fields and in the body, also across its cuts.
    ///
    /// A body is decoded, and coded again where it has any of them; one that cannot be decoded to
    /// its end stays as it is.
    package func renamed(_ ids: TokenReplacement) -> Recording.Exchange {
        if ids.isEmpty { return self }
        var exchange = self
        for index in events.indices {
            guard case .response(var head) = events[index].content else { continue }
            head.headers = Headers(
                head.headers.fields.map { field in
                    let name = field.name.description.lowercased()
                    guard !Self.counting.contains(name),
                        let value = ids.applied(to: [field.value.bytes])?.first
                    else { return field }
                    return Headers.Field(field.name, WireText(bytes: value))
                })
            exchange.events[index].content = .response(head)
        }
        exchange.renameBody(ids)
        return exchange
    }

    /// Fields whose numbers are no ids.
    private static let counting: Set<String> = [
        "content-length", "content-range", "retry-after", "age", "date", "etag",
    ]

    private mutating func renameBody(_ ids: TokenReplacement) {
        let places = events.indices.filter {
            [.responseBody, .decodedBody].contains(events[$0].content.kind)
        }
        guard let plain = decoded(places), let renamed = ids.applied(to: plain) else { return }
        let before = places.reduce(0) { $0 + events[$1].content.bodyLength }
        let isCoded = !(response?.headers.contentCodings ?? []).isEmpty
        for (place, bytes) in zip(places, renamed) {
            events[place].content = isCoded ? .decodedBody(bytes) : .responseBody(bytes)
        }
        events = codedEvents
        // A body that was cut stays as much shorter than it says.
        let gain = places.reduce(0) { $0 + events[$1].content.bodyLength } - before
        for place in events.indices {
            guard case .response(var head) = events[place].content else { continue }
            head.headers = Headers(
                head.headers.fields.map { field in
                    guard field.name.description.lowercased() == "content-length",
                        let length = Int(field.value.description)
                    else { return field }
                    return Headers.Field(field.name, WireText(String(max(0, length + gain))))
                })
            events[place].content = .response(head)
        }
    }

    /// What the pieces of the body say; nil where that cannot be told.
    private func decoded(_ places: [Int]) -> [[UInt8]]? {
        guard let decoder = try? ContentDecoder(codings: response?.headers.contentCodings ?? [])
        else { return nil }
        var plain: [[UInt8]] = []
        for place in places {
            switch events[place].content {
            case .responseBody(let bytes):
                guard let piece = try? decoder.push(bytes) else { return nil }
                plain.append(piece)
            case .decodedBody(let bytes): plain.append(bytes)
            default: return nil
            }
        }
        return plain
    }
}

extension FrameContent {
    fileprivate var bodyLength: Int {
        switch self {
        case .responseBody(let bytes), .decodedBody(let bytes): bytes.count
        default: 0
        }
    }
}
