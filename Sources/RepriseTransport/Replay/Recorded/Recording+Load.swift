public import RepriseTape

extension Recording {
    /// Loads a tape, or a recording in JSONL form.
    ///
    /// - Parameter path: The file; `-` is standard input.
    /// - Throws: ``TapeError`` for a file that is none or cannot be read. A damaged tape gives what
    ///   can be read of it, and says in ``damages`` what is missing.
    public init(path: String) throws(TapeError) {
        try self.init(reading: TapeReader(path: path))
    }

    /// Loads a tape, or a recording in JSONL form, from memory.
    ///
    /// - Throws: ``TapeError`` as ``init(path:)``.
    public init(bytes: [UInt8]) throws(TapeError) {
        try self.init(reading: TapeReader(bytes: bytes))
    }

    private init(reading reader: TapeReader) throws(TapeError) {
        var builder = RecordingBuilder()
        do throws(TapeError) {
            while let item = try reader.next() {
                switch item {
                case .frame(let frame): try builder.add(frame)
                case .damage(let damage): builder.add(damage)
                }
            }
            self = try builder.finish(isSealed: reader.summary.isSealed)
        } catch {
            throw error.of(file: reader.file)
        }
    }
}
