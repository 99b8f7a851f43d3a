internal import RepriseSupport
internal import RepriseTape

/// What the commands over tapes have in common.
enum TapeArgument {
    static let positional = CommandHelp.Positional(
        name: "TAPE", text: "A tape or .jsonl file; - reads standard input.")

    static let salvage = CommandHelp.Option.flag(
        "--salvage",
        "Also give the frames that can be decoded in a damaged member, as unverified ones: they may "
            + "hold anything.")

    /// Copies to standard output.
    ///
    /// - Returns: What was read; nil where who reads there went away, having had enough.
    static func copy(_ reader: TapeReader, to terminal: Terminal) throws -> TapeSummary? {
        guard !terminal.output.isTerminal else {
            throw CommandFailure("a tape is no text for a terminal: name a file with --output")
        }
        do throws(TapeError) {
            return try TapeCopy.run(from: reader, toDescriptor: 1, name: "standard output")
        } catch {
            guard error.code == .readerGone else { throw error }
            return nil
        }
    }

    /// `path` with another extension; a known one is taken off first.
    static func name(_ path: String, extension ending: String) -> String {
        for known in [".jsonl", ".tape"] where path.hasSuffix(known) {
            return path.dropLast(known.count) + ending
        }
        return path + ending
    }

    /// `1 frame`, `2 frames`.
    static func counted(_ count: UInt64, _ noun: String) -> String {
        Counted.text(count, noun)
    }
}

/// How far a long tape is read, on a terminal.
struct ReadingProgress {
    private let path: String
    private let terminal: Terminal
    private var shown: UInt64 = 0

    /// Every how many bytes it is renewed.
    private static let step: UInt64 = 16 << 20

    init(_ path: String, _ terminal: Terminal) {
        self.path = path
        self.terminal = terminal
    }

    mutating func show(_ bytes: UInt64) {
        guard bytes >= shown + Self.step else { return }
        shown = bytes
        terminal.progress("\(path): \(bytes >> 20) MB read")
    }
}
