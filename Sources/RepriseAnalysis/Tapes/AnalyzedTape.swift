public import RepriseSession
public import RepriseTape

/// A recording and what it says.
public struct AnalyzedTape: Sendable, Hashable {
    /// Its name in the report.
    public var name: String
    /// SHA-256 of the file, in hexadecimal.
    public var sha256: String
    /// Size of the file in bytes.
    public var size: UInt64
    /// What it says.
    public var session: SessionResult

    /// A recording.
    public init(name: String, sha256: String, size: UInt64, session: SessionResult) {
        self.name = name
        self.sha256 = sha256
        self.size = size
        self.session = session
    }
}

extension AnalyzedTape {
    /// Reads and analyzes a recording.
    ///
    /// A file that breaks off is analyzed as far as it could be read, and says so (`tape.R3`).
    ///
    /// - Parameter dialects: The vendors' dialects.
    /// - Throws: ``TapeError`` for a file that cannot be read, or is no recording.
    public init(
        _ file: TapeFile, dialects: [any Dialect], options: AnalysisOptions
    ) throws(TapeError) {
        if file.isStream {
            let bytes = try ByteSource.bytes(ofFileAt: file.path)
            try self.init(
                file.name, FileDigest(of: bytes), TapeReader(bytes: bytes), dialects, options)
        } else {
            try self.init(
                file.name, FileDigest(path: file.path), TapeReader(path: file.path), dialects,
                options)
        }
    }

    /// Analyzes a recording from memory.
    ///
    /// - Throws: ``TapeError`` for bytes that are no recording.
    public init(
        name: String, bytes: [UInt8], dialects: [any Dialect],
        options: AnalysisOptions = AnalysisOptions()
    ) throws(TapeError) {
        try self.init(name, FileDigest(of: bytes), TapeReader(bytes: bytes), dialects, options)
    }

    private init(
        _ name: String, _ digest: FileDigest, _ reader: TapeReader, _ dialects: [any Dialect],
        _ options: AnalysisOptions
    ) throws(TapeError) {
        let analyzer = SessionAnalyzer(dialects: dialects, options: options)
        do {
            let frames = RevealedFrames(reader)
            while let next = try frames.next() { analyzer.read(next.item) }
        } catch {
            guard reader.summary.frames > 0, error.code != .unsupportedVersion else { throw error }
            analyzer.read(
                Damage(.garbage, "the rest cannot be read: \(error)", offset: error.offset))
        }
        self.init(
            name: name, sha256: digest.sha256, size: digest.size,
            session: analyzer.finish(reader.summary))
    }
}
