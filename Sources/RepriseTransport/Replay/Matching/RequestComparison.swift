internal import RepriseTape
internal import RepriseWire

/// A recorded request against one of now, both masked: a masked run is as good as any other.
struct RequestComparison {
    let recorded: MaskedRequest
    let now: MaskedRequest
    /// Whether the whole request was recorded; else its body is a beginning.
    let isWhole: Bool

    init(recorded: MaskedRequest, isWhole: Bool, now: MaskedRequest) {
        self.recorded = recorded
        self.isWhole = isWhole
        self.now = now
    }

    /// In what the request is not the recorded one, in the order method, URL, headers, body;
    /// empty where it is.
    ///
    /// The recorded head is the one that left, so it has fields that the client did not set:
    /// those that the protocol itself needs may be missing now, and no others.
    var differences: [RequestDifference] {
        var found: [RequestDifference] = []
        if recorded.method != now.method {
            found.append(
                RequestDifference(
                    .method,
                    "the method differs: recorded \(recorded.method), now \(Shown(now.method))"))
        }
        found += urlDifferences
        let hasUserInfo = URLForm(recorded.url, isMasked: false).authority.contains("@")
        found += HeaderComparison(
            recorded: recorded.headers.drawnOnce, now: now.headers.drawnOnce,
            hasUserInfo: hasUserInfo
        ).differences(isLengthFree: recorded.body.isMasked || now.body.isMasked || !isWhole)
        let body = BodyComparison(recorded: recorded.body, now: now.body, isWhole: isWhole)
        if let difference = body.difference { found.append(difference) }
        return found
    }

    var urlDifferences: [RequestDifference] {
        if now.url.firstDifference(from: recorded.url) == nil { return [] }
        let isMasked = recorded.url.isMasked || now.url.isMasked
        return URLForm(recorded.url, isMasked: isMasked)
            .differences(to: URLForm(now.url, isMasked: isMasked))
    }
}

extension [MaskedRequest.Field] {
    /// Those that are not drawn anew for each connection, as a WebSocket's key is (RFC 6455
    /// section 4.1).
    fileprivate var drawnOnce: [MaskedRequest.Field] {
        filter { $0.name.lowercased() != "sec-websocket-key" }
    }
}
