/// Writes a tape: frames collect in memory until ``commit()`` hands them to the kernel with one
/// write, after which even the death of the process cannot lose them.
///
/// Not thread-safe. Memory is bounded by what is appended between two commits.
public final class TapeWriter {
    private let encoder: TapeEncoder
    private let file: OutputFile
    private var failure: TapeError?
    private var isClosed = false

    /// Creates a tape and writes the session, its first frame.
    ///
    /// - Parameters:
    ///   - path: The file to create (mode 0600), in a folder that exists.
    ///   - session: The session; its id is also the tape's.
    ///   - replacing: False: the file must not exist. True: `PATH.new` is written, and takes the
    ///     place of `path` when the writer is closed.
    /// - Throws: ``TapeError`` with code `file` or `writeFailed`.
    public convenience init(
        path: String, session: SessionRecord, replacing: Bool = false
    ) throws(TapeError) {
        try self.init(
            path: path, tape: TapeID(session: session.session), replacing: replacing)
        var session = session
        session.version = Int(TapeFormat.version)
        append(.session(session), exchange: 0, time: 0)
        try commit()
    }

    /// Creates a tape that gets all of its frames from elsewhere.
    package convenience init(
        path: String, tape: TapeID, replacing: Bool, memberSize: Int = TapeFormat.memberSize
    ) throws(TapeError) {
        self.init(
            file: try OutputFile(creating: path, mode: replacing ? .replacing : .inPlace),
            tape: tape, memberSize: memberSize)
    }

    /// Creates a tape that is not there under its name until it is whole.
    package convenience init(
        copyingTo path: String, tape: TapeID, replacing: Bool
    ) throws(TapeError) {
        let mode: OutputFile.Mode = replacing ? .replacing : .appearing
        self.init(file: try OutputFile(creating: path, mode: mode), tape: tape)
    }

    /// Writes a tape to an open descriptor, for instance standard output, which stays open.
    package convenience init(descriptor: Int32, name: String, tape: TapeID) {
        self.init(file: OutputFile(borrowing: descriptor, name: name), tape: tape)
    }

    private init(file: OutputFile, tape: TapeID, memberSize: Int = TapeFormat.memberSize) {
        self.file = file
        encoder = TapeEncoder(tape: tape, memberSize: memberSize)
    }

    /// Adds a frame, in memory only.
    ///
    /// After a failure and after closing, frames are dropped.
    ///
    /// - Parameters:
    ///   - content: What to record.
    ///   - exchange: The exchange it belongs to; 0 is the session.
    ///   - time: Nanoseconds since the session's start; need not rise.
    /// - Returns: The number of the frame.
    @discardableResult
    public func append(_ content: FrameContent, exchange: UInt64, time: Int64) -> UInt64 {
        append(Frame(content, exchange: exchange, time: time))
    }

    /// Adds a frame as it is, in memory only, but for its number, which the tape gives.
    ///
    /// - Returns: The number of the frame.
    @discardableResult
    public func append(_ frame: Frame) -> UInt64 {
        guard failure == nil, !isClosed, accepts(frame) else { return encoder.nextFrame }
        return encoder.append(
            kind: frame.kind, exchange: frame.exchange, time: frame.time, payload: frame.payload,
            isVerified: frame.isVerified)
    }

    /// Notes that frames up to number `frame` were lost before this tape was made, or, where that
    /// is not known, that something was.
    package func skip(to frame: UInt64?) {
        guard failure == nil, !isClosed else { return }
        encoder.skip(to: frame)
    }

    /// Hands all frames to the kernel with one write.
    ///
    /// - Throws: ``TapeError`` with code `writeFailed`; recording has then stopped for good, and
    ///   every later call throws the same. Code `closed` after ``close()``.
    public func commit() throws(TapeError) {
        if let failure { throw failure }
        guard !isClosed else { throw TapeError(.closed, "the tape \(file.path) is closed") }
        encoder.flush()
        try writeOutput()
    }

    /// Hands finished members to the kernel, and leaves the open one as it is: for who has nothing
    /// to lose before the end.
    package func drain() throws(TapeError) {
        if let failure { throw failure }
        if encoder.output.count >= TapeFormat.memberSize { try writeOutput() }
    }

    /// The number of the next frame.
    package var nextFrame: UInt64 { encoder.nextFrame }

    /// Closes without sealing, and removes a file that has not got its name yet.
    package func discard() {
        isClosed = true
        file.discard()
    }

    /// Commits, adds the index and closes the file. Calling it again does nothing.
    ///
    /// - Throws: ``TapeError`` with what ended the recording, each time it is called.
    public func close() throws(TapeError) {
        if !isClosed {
            isClosed = true
            seal()
        }
        if let failure { throw failure }
    }

    private func seal() {
        do {
            if failure == nil {
                encoder.seal()
                try writeOutput()
                try file.finish()
            } else {
                try file.release()
            }
        } catch {
            failure = failure ?? error
        }
    }

    private func writeOutput() throws(TapeError) {
        guard !encoder.output.isEmpty else { return }
        do {
            try file.write(encoder.output)
            encoder.dropOutput()
        } catch {
            failure = error
            encoder.dropOutput()
            throw error
        }
    }

    private func accepts(_ frame: Frame) -> Bool {
        // The writer makes the index itself.
        guard frame.kind != .index else { return false }
        guard frame.payload.count <= TapeFormat.maximumFrameLength - 32 else {
            failure = TapeError(
                .writeFailed,
                "a frame of \(frame.payload.count) bytes is more than a tape can hold in one"
                    + " (64 MiB): recording has stopped", frame: encoder.nextFrame)
            return false
        }
        return true
    }
}
