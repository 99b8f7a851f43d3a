internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// A recorded request against one of now, both masked: a masked run is as good as any other.
struct RequestComparison {
    private let recorded: MaskedRequest
    private let now: MaskedRequest
    /// Whether the whole request was recorded; else its body is a beginning.
    private let isWhole: Bool

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
            recorded: recorded.headers, now: now.headers, hasUserInfo: hasUserInfo
        ).differences(isLengthFree: recorded.body.isMasked || now.body.isMasked || !isWhole)
        if let difference = bodyDifference { found.append(difference) }
        return found
    }

    private var urlDifferences: [RequestDifference] {
        if now.url.firstDifference(from: recorded.url) == nil { return [] }
        let isMasked = recorded.url.isMasked || now.url.isMasked
        return URLForm(recorded.url, isMasked: isMasked)
            .differences(to: URLForm(now.url, isMasked: isMasked))
    }

    private var bodyDifference: RequestDifference? {
        guard let offset = now.body.firstDifference(from: recorded.body) else { return nil }
        let (old, new) = (recorded.body.bytes, now.body.bytes)
        if !isWhole, old.isEmpty || new.starts(with: old) { return nil }
        if let json = MaskedJSON(old, masked: recorded.body.masks),
            let value = try? JSON.parse(new).value, let found = json.firstDifference(of: value)
        {
            return RequestDifference(.json(path: found.path), "in the body, " + found.message)
        }
        let lengths = "recorded \(Counted.text(old.count, "byte")), now \(new.count)"
        let message =
            if offset >= new.count {
                "the body ends before the recorded one: \(lengths)"
            } else if new.starts(with: old) {
                "the body goes on after the recorded one: \(lengths)"
            } else {
                "the body differs from byte \(offset) on: \(lengths)"
            }
        return RequestDifference(.body(offset: offset), message)
    }
}
