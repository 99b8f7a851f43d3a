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
        .end: ["how", "framing", "proven", "code", "message", "trailers"],
        .phases: ["lookup", "connect", "tls", "sent", "firstByte", "reused", "protocol"],
        .tool: ["call", "id", "name", "state", "input", "outcome", "output"],
        .entropy: ["call", "purpose", "ordinal", "value"],
        .note: ["text"],
        .masked: ["frame", "offset", "length", "rule", "secret", "provisional"],
        .call: ["call", "op", "args", "result", "error"],
        .held: ["duration"],
        .client: ["client", "config"],
    ]

    /// `object` with the keys of `kind` in their order.
    package static func sorted(_ object: JSONObject, for kind: Frame.Kind) -> JSONObject {
        guard let keys = order[kind] else { return object }
        let ranked = object.members.enumerated().map { position, member in
            (keys.firstIndex(of: member.key) ?? keys.count + position, member)
        }
        return JSONObject(ranked.sorted { $0.0 < $1.0 }.map(\.1))
    }
}
