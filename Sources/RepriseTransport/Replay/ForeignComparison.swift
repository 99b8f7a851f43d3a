internal import RepriseTape
internal import RepriseWire

extension RequestComparison {
    /// In what the request is not the recorded one, where its client knows nothing of the
    /// recording: only the method, the URL's path and query, `Content-Type`, `Accept` and the body
    /// are compared.
    ///
    /// A JSON body is compared by its values, in any order and spelling of its members; a
    /// multipart body whatever its boundary is.
    func differences(of client: ForeignClient) -> [RequestDifference] {
        var found: [RequestDifference] = []
        if recorded.method != now.method {
            found.append(
                RequestDifference(
                    .method,
                    "the method differs: recorded \(recorded.method), now \(Shown(now.method))"))
        }
        found += urlDifferences.filter { $0.part != .url("scheme") && $0.part != .url("host") }
        found += [typeDifference, acceptDifference, bodyDifference(client)].compactMap { $0 }
        return found
    }

    private var typeDifference: RequestDifference? {
        guard let old = recorded.mediaType("content-type") else { return nil }
        guard let new = now.mediaType("content-type") else {
            return RequestDifference(
                .header("Content-Type"),
                "the header Content-Type is missing: recorded \(Shown(old))")
        }
        return old == new ? nil : difference("Content-Type", old, new)
    }

    /// A client that takes anything takes what was recorded, too.
    private var acceptDifference: RequestDifference? {
        guard let old = recorded.mediaType("accept"), let new = now.mediaType("accept") else {
            return nil
        }
        let isOpen = now.values("accept").contains { $0.contains("*/*") }
        return isOpen || old == new ? nil : difference("Accept", old, new)
    }

    private func difference(_ name: String, _ old: String, _ new: String) -> RequestDifference {
        RequestDifference(
            .header(name), "the header \(name) differs: recorded \(Shown(old)), now \(Shown(new))")
    }

    private func bodyDifference(_ client: ForeignClient) -> RequestDifference? {
        let comparison = BodyComparison(
            recorded: recorded.body, now: now.body, isWhole: isWhole, foreign: client)
        guard let difference = comparison.difference else { return nil }
        guard let old = recorded.boundary, let new = now.boundary, old.count > 0 else {
            return difference
        }
        let isSame =
            now.body.replacing(new, with: old).firstDifference(from: recorded.body) == nil
        return isSame ? nil : difference
    }
}

extension MaskedRequest {
    /// The values of a header; `name` in lower case.
    fileprivate func values(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name }.compactMap { field in
            (try? JSON.parse(field.value.bytes).value).flatMap { WireText(json: $0) }?.description
        }
    }

    /// The value of a header without its parameters, in lower case.
    fileprivate func mediaType(_ name: String) -> String? {
        values(name).first.map { value in
            String(value.lowercased().prefix { $0 != ";" && $0 != " " })
        }
    }

    /// The boundary of a multipart body (RFC 2046 section 5.1.1).
    fileprivate var boundary: [UInt8]? {
        guard let value = values("content-type").first, value.lowercased().hasPrefix("multipart/"),
            let start = value.firstRange(of: "boundary=")
        else { return nil }
        let rest = value[start.upperBound...].prefix { $0 != ";" }
        return Array(rest.filter { $0 != "\"" && $0 != " " }.utf8)
    }
}

extension MaskedText {
    /// With every `old` outside of masks replaced by `new`.
    fileprivate func replacing(_ old: [UInt8], with new: [UInt8]) -> MaskedText {
        var parts: [MaskedText] = []
        var plain = 0
        for mask in masks + [bytes.count..<bytes.count] {
            parts.append(
                MaskedText(Array(bytes[plain..<mask.lowerBound]).replacing(old, with: new)))
            parts.append(MaskedText(whollyMasked: Array(bytes[mask])))
            plain = mask.upperBound
        }
        return MaskedText(joining: parts)
    }
}
