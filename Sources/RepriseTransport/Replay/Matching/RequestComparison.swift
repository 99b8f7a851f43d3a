internal import RepriseTape
internal import RepriseWire

/// A recorded request against one of now, both masked: a masked run is as good as any other.
struct RequestComparison {
    let recorded: MaskedRequest
    let now: MaskedRequest
    /// Whether the whole request was recorded; else its body is a beginning.
    let isWhole: Bool
    /// What may be another.
    let trial: MatchTrial

    /// In what the request is not the recorded one, in the order method, URL, headers, body;
    /// empty where it is.
    ///
    /// The recorded head is the one that left, so it has fields that the client did not set:
    /// those that the protocol itself needs may be missing now, and no others.
    var differences: [RequestDifference] {
        let known = trial.ids
        let found = compared
        // An id may stand before the place at which it is declared.
        return found.isEmpty || trial.ids == known ? found : compared
    }

    private var compared: [RequestDifference] {
        var found: [RequestDifference] = []
        if recorded.method != now.method {
            found.append(
                RequestDifference(
                    .method,
                    "the method differs: recorded \(recorded.method), now \(Shown(now.method))"))
        }
        return found + urlDifferences + headerDifferences + bodyDifferences
    }

    private var urlDifferences: [RequestDifference] {
        if now.url.firstDifference(from: recorded.url) == nil { return [] }
        let isMasked = recorded.url.isMasked || now.url.isMasked
        return URLComparison(
            recorded: URLForm(recorded.url, isMasked: isMasked),
            now: URLForm(now.url, isMasked: isMasked), trial: trial
        ).differences
    }

    private var headerDifferences: [RequestDifference] {
        guard trial.matching.fields == .all else {
            return FieldComparison(recorded: recorded, now: now, trial: trial).differences
        }
        let hasUserInfo = URLForm(recorded.url, isMasked: false).authority.contains("@")
        return HeaderComparison(
            recorded: recorded.headers.filter(isCompared),
            now: now.headers.filter(isCompared), hasUserInfo: hasUserInfo, trial: trial
        ).differences(isLengthFree: isLengthFree)
    }

    private var isLengthFree: Bool {
        recorded.body.isMasked || now.body.isMasked || !isWhole || trial.hasJSONPlaces
            || forms != nil
    }

    private func isCompared(_ field: MaskedRequest.Field) -> Bool {
        switch field.name.lowercased() {
        // Drawn anew for each connection (RFC 6455 section 4.1).
        case "sec-websocket-key": false
        // Its boundary is the body's affair.
        case "content-type": forms == nil
        case let name: !trial.isVolatile(.header(name))
        }
    }

    private var bodyDifferences: [RequestDifference] {
        if let (recorded, now) = forms {
            return MultipartComparison(recorded: recorded, now: now, trial: trial).differences
        }
        return BodyComparison(
            recorded: recorded.body, now: now.body, isWhole: isWhole, trial: trial
        ).differences
    }

    /// The bodies in parts, where they are compared so.
    private var forms: (recorded: MultipartForm, now: MultipartForm)? {
        guard trial.hasParts, isWhole, let old = recorded.boundary, let new = now.boundary,
            let recorded = MultipartForm(recorded.body, boundary: old),
            let now = MultipartForm(now.body, boundary: new)
        else { return nil }
        return (recorded, now)
    }
}

extension MaskedRequest {
    /// The values of a header; `name` in lower case.
    func values(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name }.map(\.text)
    }

    /// The boundary of a multipart body (RFC 2046 section 5.1.1).
    fileprivate var boundary: [UInt8]? {
        guard let value = values("content-type").first, value.lowercased().hasPrefix("multipart/"),
            let start = value.firstRange(of: "boundary=")
        else { return nil }
        let rest = value[start.upperBound...]
        return rest.first == "\""
            ? Array(rest.dropFirst().prefix { $0 != "\"" }.utf8)
            : Array(rest.prefix { $0 != ";" && $0 != " " }.utf8)
    }
}

extension MaskedRequest.Field {
    /// The value as it was sent, masks included.
    var text: String {
        (try? JSON.parse(value.bytes).value).flatMap { WireText(json: $0) }?.description ?? ""
    }
}
