internal import RepriseTransport

/// What happened in one turn of the loop.
final class Turn {
    private var touched: [Transfer] = []
    /// No later than this must the loop look for silence; nil for never.
    private(set) var silenceCheck: Int64?

    /// Something was told of a transfer.
    func touch(_ transfer: Transfer) {
        if transfer.isTouched { return }
        transfer.isTouched = true
        touched.append(transfer)
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
        for transfer in touched { transfer.hold() }
    }

    /// Lets all observers write first, and only then hands the turn's chunks to the app: what the
    /// app has seen is on the tape whatever happens next.
    func end() {
        while !touched.isEmpty {
            let transfers = touched
            touched = []
            for transfer in transfers {
                transfer.isTouched = false
                transfer.exchange.observer?.commit()
            }
            for transfer in transfers { transfer.release() }
        }
    }
}
