extension Tape {
    /// When a test records.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Never: without a tape the test fails.
        case none
        /// Where there is no tape yet.
        case once
        /// Always: the new tape takes the place of the old one.
        case all
    }

    /// Where a test that does not record gets its answers from.
    public enum Playback: String, Sendable, Hashable, CaseIterable {
        /// From the tape, and from nowhere else.
        case strict
        /// From the tape where it has the request that comes, in whatever order, else from the
        /// service; time is real.
        case passthrough
        /// From the service; there need be no tape.
        case live
    }
}
