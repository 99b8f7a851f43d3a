/// Checks that what opens also continues and closes as a profile says.
///
/// A pure state machine: events go in, findings come out, and after a finding it goes on as if the
/// event had been in order, so that one fault is one finding.
///
/// Memory grows with the number of distinct keys since the last reset.
public struct BracketVerifier: Sendable {
    private let profile: BracketProfile
    /// Per row, in the order of the profile.
    private var states: [RowState]

    /// A verifier at the beginning of a stream.
    public init(_ profile: BracketProfile) {
        self.profile = profile
        states = profile.rows.map { _ in RowState() }
    }

    /// Takes an event in.
    ///
    /// - Parameter key: Which bracket it means; of no matter for kinds that are not keyed.
    public mutating func read(_ event: String, key: String = "") -> [Finding] {
        var findings = outside(event)
        findings += stillOpen(before: event)
        findings += interruptions(by: event, key: key)
        for index in profile.rows.indices {
            findings += step(index, event, key)
        }
        findings += profile.references.filter { $0.event == event }
            .compactMap { check($0, key: key) }
        return findings
    }

    /// The stream ends here.
    public mutating func finish() -> [Finding] {
        var findings: [Finding] = []
        for (row, state) in zip(profile.rows, states) where !row.allowances.contains(.openEnd) {
            findings += state.open.keys.sorted().map { Finding(.neverClosed, row.kind, key: $0) }
        }
        return findings
    }

    /// Keys of the open brackets of a kind, sorted.
    public func openKeys(_ kind: String) -> [String] {
        zip(profile.rows, states).first { $0.0.kind == kind }?.1.open.keys.sorted() ?? []
    }

    /// Whether a bracket of that kind and key was ever opened.
    public func knows(_ kind: String, key: String = "") -> Bool {
        zip(profile.rows, states).first { $0.0.kind == kind }?.1.knows(key) ?? false
    }
}

extension BracketVerifier {
    /// What is out of order.
    public struct Finding: Sendable, Hashable {
        /// What it is.
        public var problem: Problem
        /// The kind of bracket.
        public var kind: String
        /// Which one; empty where the kind is not keyed.
        public var key: String

        /// A finding.
        public init(_ problem: Problem, _ kind: String, key: String = "") {
            self.problem = problem
            self.kind = kind
            self.key = key
        }
    }

    /// What can be out of order.
    public enum Problem: String, Sendable, Hashable, CaseIterable {
        /// Opened while it is open.
        case alreadyOpen
        /// Opened again after it was closed.
        case reopened
        /// Continued or closed, and never opened.
        case neverOpened
        /// Continued after it was closed.
        case continuedAfterClose
        /// Closed a second time.
        case closedTwice
        /// Continued more often than once is allowed.
        case continuedTooOften
        /// Closed before what must come inside it did.
        case closedEarly
        /// Still open where it must be closed.
        case stillOpen
        /// Something came outside the bracket that encloses everything.
        case outside
        /// Something else came inside a bracket that allows only its own events.
        case interrupted
        /// Named where it was never opened.
        case unknown
        /// Named before it was closed.
        case notYetClosed
        /// Named after it was closed.
        case noLongerOpen
        /// Not closed when the stream ended.
        case neverClosed
    }
}

extension BracketVerifier {
    private struct RowState: Sendable {
        /// Open brackets, with how often each was continued.
        var open: [String: Int] = [:]
        var closed: Set<String> = []

        func knows(_ key: String) -> Bool { open[key] != nil || closed.contains(key) }
    }

    private mutating func step(_ index: Int, _ event: String, _ eventKey: String) -> [Finding] {
        let row = profile.rows[index]
        let key = row.isKeyed ? eventKey : ""
        if row.close.contains(event) { return close(index, row, key) }
        if row.open.contains(event) { return open(index, row, key) }
        if row.continue.contains(event) { return proceed(index, row, key) }
        return []
    }

    private mutating func open(
        _ index: Int, _ row: BracketProfile.Row, _ key: String
    ) -> [Finding] {
        var findings: [Finding] = []
        if states[index].open[key] != nil && !row.allowances.contains(.replacing) {
            findings.append(Finding(.alreadyOpen, row.kind, key: key))
        } else if states[index].closed.contains(key) && !row.allowances.contains(.reopening) {
            findings.append(Finding(.reopened, row.kind, key: key))
        }
        states[index].open[key] = 0
        states[index].closed.remove(key)
        return findings
    }

    private mutating func proceed(
        _ index: Int, _ row: BracketProfile.Row, _ key: String
    ) -> [Finding] {
        guard let count = states[index].open[key] else {
            if states[index].closed.contains(key) {
                return [Finding(.continuedAfterClose, row.kind, key: key)]
            }
            states[index].open[key] = 1
            let isAllowed = row.allowances.contains(.bareContinuing)
            return isAllowed ? [] : [Finding(.neverOpened, row.kind, key: key)]
        }
        states[index].open[key] = count + 1
        guard let limit = row.continuations?.upperBound, count == limit else { return [] }
        return [Finding(.continuedTooOften, row.kind, key: key)]
    }

    private mutating func close(
        _ index: Int, _ row: BracketProfile.Row, _ key: String
    ) -> [Finding] {
        defer { if row.allowances.contains(.resets) { resetOthers(than: index) } }
        let wasClosed = states[index].closed.contains(key)
        let count = states[index].open.removeValue(forKey: key)
        states[index].closed.insert(key)
        guard let count else {
            if row.allowances.contains(.bareClosing) { return [] }
            return [Finding(wasClosed ? .closedTwice : .neverOpened, row.kind, key: key)]
        }
        let isEarly = count < row.continuations?.lowerBound ?? 0
        return isEarly ? [Finding(.closedEarly, row.kind, key: key)] : []
    }

    private mutating func resetOthers(than index: Int) {
        for other in states.indices where other != index { states[other] = RowState() }
    }
}

extension BracketVerifier {
    /// An enclosing bracket that is not open, where the event neither opens nor closes it.
    private func outside(_ event: String) -> [Finding] {
        zip(profile.rows, states).compactMap { row, state in
            guard row.allowances.contains(.enclosesAll), state.open.isEmpty,
                !row.open.contains(event), !row.close.contains(event)
            else { return nil }
            return Finding(.outside, row.kind)
        }
    }

    private func stillOpen(before event: String) -> [Finding] {
        zip(profile.rows, states).flatMap { row, state -> [Finding] in
            guard row.mustCloseBefore.contains(event) else { return [] }
            return state.open.keys.sorted().map { Finding(.stillOpen, row.kind, key: $0) }
        }
    }

    private func interruptions(by event: String, key: String) -> [Finding] {
        zip(profile.rows, states).compactMap { row, state in
            guard row.allowances.contains(.exclusive), let open = state.open.keys.min(),
                !row.mustCloseBefore.contains(event)
            else { return nil }
            let isOwn = row.continue.contains(event) || row.close.contains(event)
            if isOwn && (!row.isKeyed || state.open[key] != nil) { return nil }
            return Finding(.interrupted, row.kind, key: open)
        }
    }

    private func check(_ reference: BracketProfile.Reference, key: String) -> Finding? {
        guard
            let index = profile.rows.firstIndex(where: { $0.kind == reference.kind })
        else { return nil }
        let key = profile.rows[index].isKeyed ? key : ""
        let state = states[index]
        guard state.knows(key) else { return Finding(.unknown, reference.kind, key: key) }
        switch reference.needs {
        case .known: return nil
        case .open:
            return state.open[key] == nil ? Finding(.noLongerOpen, reference.kind, key: key) : nil
        case .closed:
            return state.open[key] == nil ? nil : Finding(.notYetClosed, reference.kind, key: key)
        }
    }
}
