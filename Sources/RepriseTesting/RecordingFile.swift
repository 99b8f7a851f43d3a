internal import RepriseTape
internal import RepriseTransport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The file of a recording while it is made, and what becomes of it.
///
/// Until it is kept, what was there before is untouched.
struct RecordingFile: Sendable {
    /// The tape that is written; `PATH.new` until it is sealed.
    private let tape: String
    /// What it takes the place of.
    private let target: String

    /// - Parameter isKept: Whether it is to be there after the test.
    init(_ target: String, isKept: Bool) throws {
        self.target = target
        if !isKept {
            let digits = String(UInt64.random(in: .min ... .max), radix: 36)
            let folder = FileManager.default.temporaryDirectory.path
            tape = "\(folder)/reprise-\(digits).tape"
        } else {
            // JSON lines are made of the tape when it is whole.
            tape = target.hasSuffix(".jsonl") ? target + ".tape" : target
            let folder = target.split(separator: "/", omittingEmptySubsequences: false).dropLast()
                .joined(separator: "/")
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        }
    }

    /// Where what has been recorded so far can be read.
    var current: String { tape + ".new" }

    func recorder(clock: any SessionClock, secrets: [String]) throws(TapeError) -> TapeRecorder {
        try TapeRecorder(path: tape, clock: clock, secrets: secrets, replacing: true)
    }

    /// Seals the recording and gives it its name.
    func keep(_ recorder: TapeRecorder) throws {
        try recorder.close()
        guard tape != target else { return }
        let reader = try TapeReader(path: tape)
        var lines: [UInt8] = []
        while let item = try reader.next() {
            lines += item.jsonLine
            lines.append(UInt8(ascii: "\n"))
        }
        try Data(lines).write(to: URL(fileURLWithPath: target), options: .atomic)
        try FileManager.default.removeItem(atPath: tape)
    }
}
