internal import RepriseTransport

/// What happened in one turn of the loop.
final class Turn {
    /// An exchange under way.
    protocol Member: AnyObject {
        /// Whether the turn's list holds it.
        var isTouched: Bool { get set }
        /// Holds the peer back where the app has enough.
        func hold()
        /// Lets the observer write.
        func commit()
        /// Hands over what the turn brought.
        func release()
    }

    private var touched: [any Member] = []
    /// Those with more to read than their share of a turn.
    private var eager: [SocketLink] = []
    var isEager: Bool { !eager.isEmpty }

    /// No later than this must the loop look for silence; nil for never.
    private(set) var silenceCheck: Int64?

    /// Something was told of an exchange.
    func touch(_ member: any Member) {
        if member.isTouched { return }
        member.isTouched = true
        touched.append(member)
    }

    /// Something is left to read.
    func goOn(_ link: SocketLink) { eager.append(link) }

    func takeEager() -> [SocketLink] {
        defer { eager.removeAll() }
        return eager
    }

    /// Bounds the time until the next look for silence.
    func watchSilence(until deadline: Int64?) {
        guard let deadline else { return }
        silenceCheck = min(silenceCheck ?? deadline, deadline)
    }

    /// Starts the watch for silence anew.
    func resetSilenceCheck() { silenceCheck = nil }

    /// Holds back the peers whose app has enough.
    func hold() {
        for member in touched { member.hold() }
    }

    /// Lets all observers write first, and only then hands the turn's chunks to the app: what the
    /// app has seen is on the tape whatever happens next.
    func end() {
        while !touched.isEmpty {
            let members = touched
            touched = []
            for member in members {
                member.isTouched = false
                member.commit()
            }
            for member in members { member.release() }
        }
    }
}
