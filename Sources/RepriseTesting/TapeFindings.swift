internal import RepriseTape
internal import RepriseTransport

/// What is wrong with how a test used its tape, in words.
struct TapeFindings {
    let allowances: [TapeAllowance]
    private(set) var texts: [String] = []

    init(allowances: [TapeAllowance]) { self.allowances = allowances }

    mutating func add(misses: [ReplayMiss]) { texts += misses.map(\.description) }

    mutating func add(stalls: [String]) { texts += stalls }

    mutating func add(escape: String?) {
        guard let escape, !allowances.cover(.foreignWakes) else { return }
        texts.append("\(escape); or allow it: allowing: [.foreignWakes]")
    }

    /// What the test left over.
    mutating func addRest(of replay: ReplayTransport) {
        for exchange in replay.unconsumed
        where !allowances.cover(.unconsumed, path: exchange.path) {
            texts.append(
                "\(exchange.request.method) \(exchange.path), exchange \(exchange.id) of the tape, "
                    + "was not asked for; \(advice(["unconsumed"], exchange.path))")
        }
        for body in replay.unreadBodies
        where body.wasNeeded && !allowances.cover(.unread, path: body.path) {
            texts.append("\(body); \(advice(["unread"], body.path))")
        }
        for tail in replay.unconsumedTails where tail.wasNeeded { add(tail) }
    }

    private mutating func add(_ tail: UnconsumedTail) {
        let path = tail.request.split(separator: " ").last.map(String.init) ?? ""
        let isUnsent = tail.unsent > 0 && !allowances.cover(.unsent, path: path)
        let isUnread = tail.unread > 0 && !allowances.cover(.unread, path: path)
        let kinds = (isUnsent ? ["unsent"] : []) + (isUnread ? ["unread"] : [])
        if !kinds.isEmpty { texts.append("\(tail); \(advice(kinds, path))") }
    }

    /// All that allows it, so that nobody is told of one allowance after another.
    private func advice(_ kinds: [String], _ path: String) -> String {
        let allowances = kinds.map { ".\($0)(path: \"\(path)\")" }.joined(separator: ", ")
        return "if that is meant, allow it: allowing: [\(allowances)]"
    }
}
