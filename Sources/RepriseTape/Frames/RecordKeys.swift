package import RepriseWire

/// The one order of keys of every kind, in the payload and in the JSONL form.
///
/// Keys that are not listed follow in the order they came in, so nothing of a newer version is
/// lost.
package enum RecordKeys {
    package static let order: [Frame.Kind: [String]] = [
        .session: ["version", "session", "wall", "recorder", "labels", "masking"],
        .request: ["call", "transport", "method", "url", "headers"],
        .requestEnd: [],
        .response: ["status", "version", "reason", "headers"],
        .end: ["how", "framing", "proven", "code", "message", "trailers", "coding"],
        .phases: ["lookup", "connect", "tls", "sent", "firstByte", "reused", "protocol"],
        .tool: ["call", "id", "name", "state", "input", "outcome", "output"],
        .entropy: ["call", "purpose", "ordinal", "value"],
        .note: ["text"],
        .masked: ["frame", "offset", "length", "rule", "secret", "provisional"],
        .call: ["call", "client", "op", "args", "result", "error"],
        .held: ["duration"],
        .client: ["client", "config"],
        // These are binary on the tape, and objects in the JSONL form only.
        .requestBody: ["text", "base64"],
        .responseBody: ["text", "base64"],
        .decodedBody: ["text", "base64"],
        .socketFrame: [
            "from", "fin", "rsv1", "rsv2", "rsv3", "inflated", "corrupt", "opcode", "text",
            "base64",
        ],
        .reveal: ["frame", "offset", "text", "base64"],
    ]

    /// What stands before a frame's own keys in the JSONL form.
    package static let head = ["kind", "x", "t", "unverified"]
    /// The key of a payload that no other key can give back byte for byte: all of it in base64.
    package static let raw = "raw"
    /// The keys of a damage in the JSONL form.
    package static let damage = [
        "kind", "what", "message", "offset", "length", "members", "frames",
    ]

    /// `object` with the keys of `kind` in their order.
    package static func sorted(_ object: JSONObject, for kind: Frame.Kind) -> JSONObject {
        JSONObject(sorted(object.members, for: kind, by: \.key))
    }

    /// Anything with keys in the order of `kind`.
    package static func sorted<Element>(
        _ elements: [Element], for kind: Frame.Kind, by key: (Element) -> String
    ) -> [Element] {
        guard let keys = order[kind] else { return elements }
        let ranked = elements.enumerated().map { position, element in
            (keys.firstIndex(of: key(element)) ?? keys.count + position, position, element)
        }
        // As they are written almost always.
        if zip(ranked, ranked.dropFirst()).allSatisfy({ $0.0 <= $1.0 }) { return elements }
        return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
}
