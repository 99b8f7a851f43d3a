/// One of the two forms that a tape comes in.
protocol FrameSource: AnyObject {
    /// The next frame or damage; nil at the end.
    func next() throws(TapeError) -> TapeReader.Item?
    /// The id in the members, once one was read.
    var tape: TapeID? { get }
    /// Whether the end of the tape was found.
    var isSealed: Bool { get }
    /// Whether the payload of the last frame is known to be written as a line would give it back.
    var isCanonical: Bool { get }
    /// How many members with frames were read.
    var members: UInt64 { get }
}
