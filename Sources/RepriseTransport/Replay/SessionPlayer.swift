public import RepriseTape

/// The frames of a recording in the order of the tape, each at its time.
public struct SessionPlayer: AsyncSequence, Sendable {
    private let frames: [Frame]
    private let pace: Pace

    /// Plays `recording` from its start; the time before its first frame is not waited for.
    public init(_ recording: Recording, pace: Pace = .original) {
        frames = recording.frames
        self.pace = pace
    }

    /// Waits for frames.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var rest: ArraySlice<Frame>
        private let clock: ReplayClock
        private let start: Int64

        fileprivate init(_ frames: [Frame], _ clock: ReplayClock) {
            rest = frames[...]
            self.clock = clock
            start = frames.first?.time ?? 0
        }

        /// The next frame, when it is its time; nil at the end.
        ///
        /// - Throws: `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> Frame? {
            guard let frame = rest.popFirst() else { return nil }
            try await clock.wait(until: frame.time.saturatingSubtract(start))
            return frame
        }
    }

    /// An iterator that begins at the start, now.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(frames, ReplayClock(pace: pace))
    }
}
