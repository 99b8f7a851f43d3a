/// Reads the frames of a tape in order, and tells of everything that is wrong with it.
///
/// Takes both forms, told apart by their content: a tape (gzip members), or the JSONL form. Reads a
/// member, or a line, at a time, so the size of the file does not matter. Nothing is guessed: a
/// frame that is handed out as verified is what was written. Not thread-safe.
public final class TapeReader {
    /// What comes next on a tape.
    public enum Item: Sendable, Hashable {
        /// A frame.
        case frame(Frame)
        /// Something wrong, where it was found.
        case damage(Damage)
    }

    /// What was found so far; complete once ``next()`` returned nil.
    public private(set) var summary = TapeSummary()

    private let bytes: ByteSource
    private let source: any FrameSource

    /// Opens a tape or JSONL file.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input.
    ///   - salvaging: Whether the frames that can still be decoded in a damaged member are handed
    ///     out, as unverified ones; they may hold anything.
    /// - Throws: ``TapeError`` with code `file`.
    public convenience init(path: String, salvaging: Bool = false) throws(TapeError) {
        try self.init(ByteSource(path: path), salvaging: salvaging)
    }

    /// Reads a tape or JSONL text from memory.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - salvaging: See ``init(path:salvaging:)``.
    public convenience init(bytes: [UInt8], salvaging: Bool = false) throws(TapeError) {
        try self.init(ByteSource(bytes: bytes), salvaging: salvaging)
    }

    private init(_ bytes: ByteSource, salvaging: Bool) throws(TapeError) {
        self.bytes = bytes
        if try LineSource.isJSONL(bytes) {
            source = LineSource(bytes)
        } else {
            source = MemberSource(bytes, salvaging: salvaging)
        }
    }

    /// What the file is called in errors; nil for bytes from memory.
    package var file: String? { bytes.name }

    /// The line of the JSONL form of the item that came last; see ``Item/jsonLine``.
    package func line(of item: Item) -> [UInt8] {
        item.jsonLine(isCanonical: source.isCanonical)
    }

    /// The id in the members, once one was read; nil for the JSONL form.
    package var tape: TapeID? { source.tape }

    /// The next frame or damage; nil at the end.
    ///
    /// - Throws: ``TapeError`` with code `notATape`, `unsupportedVersion`, `file`, or, for a JSONL
    ///   file, `badLine`.
    public func next() throws(TapeError) -> Item? {
        let item: Item?
        do throws(TapeError) {
            item = try source.next()
        } catch {
            throw error.of(file: file)
        }
        switch item {
        case .frame(let frame):
            summary.frames += 1
            if !frame.isVerified { summary.unverifiedFrames += 1 }
        case .damage(let damage):
            summary.damageCount += 1
            if summary.damages.count < TapeSummary.damageLimit { summary.damages.append(damage) }
        case nil:
            break
        }
        summary.isSealed = source.isSealed
        summary.members = source.members
        summary.endOffset = bytes.end
        return item
    }
}
