/// How what a client says on a WebSocket finds what was recorded.
package struct SocketMatching: Sendable {
    /// In what order it has to come.
    let order: RequestMatching.Order
    /// In what it is something else than was recorded.
    let compare: @Sendable (_ now: SocketSaying, _ recorded: SocketSaying) -> [RequestDifference]
    /// What puts ids of now into the places of recorded ones.
    let renaming: @Sendable () -> TokenReplacement

    /// Matching by what answers requests, of which there is one at most.
    ///
    /// - Parameters:
    ///   - place: Where the WebSocket's exchange is.
    ///   - use: Hands the matcher over; nothing where it is gone.
    package init(
        _ order: RequestMatching.Order, of place: Int,
        _ use: @escaping @Sendable ((inout RequestMatcher) -> Void) -> Void
    ) {
        self.order = order
        compare = { now, recorded in
            var differences: [RequestDifference] = []
            use { differences = $0.compare(now, to: recorded, of: place) }
            return differences
        }
        renaming = {
            var renaming = TokenReplacement()
            use { renaming = $0.renaming }
            return renaming
        }
    }
}
