internal import RepriseSupport
internal import RepriseWire

/// Which faults hit which exchange, and which of them have struck.
package final class FaultPlan: Sendable {
    private struct State {
        /// How many exchanges fit each of them so far.
        var counts: [Int]
        var hasStruck: [Bool]
    }

    private let faults: [Fault]
    private let outer: [AimedFault]
    private let state: Locked<State>

    /// - Parameter outer: Those of another plan that these are, one for each, or none: what strikes
    ///   here strikes there.
    package init(_ faults: [Fault], within outer: [AimedFault] = []) {
        self.faults = faults
        self.outer = outer
        state = Locked(
            State(
                counts: [Int](repeating: 0, count: faults.count),
                hasStruck: [Bool](repeating: false, count: faults.count)))
    }

    /// The faults of the next exchange.
    package func take(_ request: Request) -> [AimedFault] {
        let path = URLForm(request.url).path
        return state.withLock { state in
            faults.indices.compactMap { index in
                let target = faults[index].target
                guard target.fits(method: request.method, path: path) else { return nil }
                state.counts[index] += 1
                if let wanted = target.exchange, wanted != state.counts[index] { return nil }
                return AimedFault(faults[index], of: self, at: index)
            }
        }
    }

    /// Those that have not struck in any exchange.
    package var unstruck: [Fault] {
        state.withLock { state in
            zip(faults, state.hasStruck).compactMap { $1 ? nil : $0 }
        }
    }

    fileprivate func strike(_ index: Int) {
        state.withLock { $0.hasStruck[index] = true }
        if outer.indices.contains(index) { outer[index].strike() }
    }
}

/// A fault in an exchange that is its target.
package struct AimedFault: Sendable {
    /// The fault.
    package let fault: Fault
    private let plan: FaultPlan
    private let index: Int

    fileprivate init(_ fault: Fault, of plan: FaultPlan, at index: Int) {
        self.fault = fault
        self.plan = plan
        self.index = index
    }

    /// Something went wrong by it.
    package func strike() { plan.strike(index) }
}

extension [AimedFault] {
    /// The status that answers in place of the peer, which strikes by that; nil for none.
    package func takeStatus() -> (status: Int, body: String)? {
        for aimed in self {
            guard case .status(let status, let body) = aimed.fault.kind else { continue }
            aimed.strike()
            return (status, body)
        }
        return nil
    }

    /// The first end that is due at a time, and what it is for the reader.
    func cut(start: Int64, fin: Result<Void, TransportError>) -> FaultCut? {
        compactMap { aimed in
            guard case .cut(let ending) = aimed.fault.kind, let time = aimed.fault.time(from: start)
            else { return nil }
            return FaultCut(
                fault: aimed, time: time, end: ending == .fin ? fin : .failure(.faultReset))
        }.min { $0.time < $1.time }
    }
}

/// An end that is due at a time.
struct FaultCut: Sendable {
    /// Whose it is.
    var fault: AimedFault
    /// When it is due.
    var time: Int64
    /// What it is for the reader.
    var end: Result<Void, TransportError>

    /// The error that it is; nil where it is orderly.
    var error: TransportError? {
        if case .failure(let error) = end { error } else { nil }
    }
}
