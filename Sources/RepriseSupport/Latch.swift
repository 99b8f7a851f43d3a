/// Opens once; threads wait for it.
package final class Latch: Sendable {
    private let isOpen = Monitor(false)

    package init() {}

    package func open() { isOpen.change { $0 = true } }

    /// Waits until it is open, but no longer than about that many seconds where that is given.
    package func wait(seconds: Int64? = nil) {
        _ = isOpen.wait(atMost: seconds.map { $0 * 1_000_000_000 }) { $0 ? true : nil }
    }
}
