extension MaskedRequest {
    /// What differs between a live request and the recorded one.
    package enum Difference: Sendable, Hashable {
        case method
        case url
        /// A header field that is missing, new, elsewhere in the order, or has another value; the
        /// name as the live request has it, or as recorded where it is missing.
        case header(String)
        /// Offset of the first byte of the live body that differs.
        case body(Int)
    }

    /// What a transport adds to a request by itself, so that it may be on the tape only.
    private static let addedByTransport: Set<String> = [
        "host", "content-length", "transfer-encoding",
    ]

    /// All differences of this live request from the recorded one, in the order of the wire.
    ///
    /// A masked run equals any masked run. `Content-Length` is not compared where a body has one;
    /// `Host`, `Content-Length` and `Transfer-Encoding` may be on the tape only.
    package func differences(from recorded: MaskedRequest) -> [Difference] {
        var differences: [Difference] = method == recorded.method ? [] : [.method]
        if url.firstDifference(from: recorded.url) != nil { differences.append(.url) }
        differences += headerDifferences(from: recorded)
        if let offset = body.firstDifference(from: recorded.body) {
            differences.append(.body(offset))
        }
        return differences
    }

    private func headerDifferences(from recorded: MaskedRequest) -> [Difference] {
        let isMasked = body.isMasked || recorded.body.isMasked
        let mine = Set(headers.map { $0.name.lowercased() })
        let isCompared = { (field: Field) -> Bool in
            let name = field.name.lowercased()
            if name == "content-length", isMasked { return false }
            return mine.contains(name) || !MaskedRequest.addedByTransport.contains(name)
        }
        let theirs = recorded.headers.filter(isCompared)
        let ours = headers.filter(isCompared)
        if ours.count == theirs.count {
            return zip(ours, theirs).compactMap { $0.matches($1) ? nil : .header($0.name) }
        }
        return MaskedRequest.unpaired(ours, theirs)
    }

    /// The fields that have no partner in the other list.
    private static func unpaired(_ ours: [Field], _ theirs: [Field]) -> [Difference] {
        var rest = theirs
        var differences: [Difference] = []
        for field in ours {
            if let index = rest.firstIndex(where: { field.matches($0) }) {
                rest.remove(at: index)
            } else {
                differences.append(.header(field.name))
            }
        }
        return differences + rest.map { .header($0.name) }
    }
}

extension MaskedRequest.Field {
    fileprivate func matches(_ recorded: MaskedRequest.Field) -> Bool {
        name == recorded.name && value.firstDifference(from: recorded.value) == nil
    }
}
