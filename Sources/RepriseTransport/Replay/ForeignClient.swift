internal import RepriseTape
internal import RepriseWire

/// A client that knows nothing of the recording that it is answered from.
struct ForeignClient: Sendable {
    /// What the recorded client drew at random, in whose place any other may have drawn anything.
    private let drawn: Set<String>

    init(_ recording: Recording) { drawn = Set(recording.entropy.map(\.value)) }

    /// Whether `now` can be what the client drew in the place of `recorded`.
    func mayDraw(_ now: JSON, for recorded: JSON) -> Bool {
        guard case .string(let recorded) = recorded, case .string = now else { return false }
        return drawn.contains(recorded)
    }
}
