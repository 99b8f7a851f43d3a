/// What went wrong with a tape, where, and what to do.
public struct TapeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable dotted name for programs to switch on.
    public enum Code: String, Sendable, CaseIterable {
        /// The file is not a tape.
        case notATape = "tape.notATape"
        /// A newer major version of the format.
        case unsupportedVersion = "tape.unsupportedVersion"
        /// A member or frame that cannot be read.
        case damaged = "tape.damaged"
        /// A frame whose payload lacks a field or has one of the wrong type.
        case badFrame = "tape.badFrame"
        /// A line of a JSONL file that is no frame.
        case badLine = "tape.badLine"
        /// A file that cannot be opened, read or created.
        case file = "tape.file"
        /// Writing failed, for instance on a full disk.
        case writeFailed = "tape.writeFailed"
        /// Nobody reads the other end of the pipe that is written to.
        case readerGone = "tape.readerGone"
        /// The writer was closed before.
        case closed = "tape.closed"
    }

    /// What kind of failure.
    public var code: Code
    /// What happened and what to do, without any recorded content, and without the file's name
    /// where ``file`` has it.
    public var message: String
    /// The file that was read, where one was.
    public var file: String?
    /// Byte offset in the file, where known.
    public var offset: UInt64?
    /// Number of the frame, where known.
    public var frame: UInt64?
    /// Line of a JSONL file, from 1, where known.
    public var line: Int?

    /// A failure.
    public init(
        _ code: Code, _ message: String, file: String? = nil, offset: UInt64? = nil,
        frame: UInt64? = nil, line: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.file = file
        self.offset = offset
        self.frame = frame
        self.line = line
    }

    static func unsupported(version: Int, offset: UInt64? = nil) -> TapeError {
        let advice = version > Int(TapeFormat.version) ? ": use a newer one" : ""
        return TapeError(
            .unsupportedVersion,
            "the tape has format version \(version), and this program reads version"
                + " \(TapeFormat.version)\(advice)", offset: offset)
    }

    /// The message with the file and where in it that happened.
    public var description: String { (file.map { "\($0): " } ?? "") + reason }

    /// The message with where in the file that happened, for who names the file already.
    public var reason: String {
        var places: [String] = []
        if let line { places.append("line \(line)") }
        if let frame { places.append("frame \(frame)") }
        if let offset { places.append("offset \(offset)") }
        let place = places.isEmpty ? "" : " (" + places.joined(separator: ", ") + ")"
        return message + place
    }

    /// The same failure, of that file.
    package func of(file: String?) -> TapeError {
        var error = self
        error.file = error.file ?? file
        return error
    }
}
