package import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Golden files in the folder `Snapshots` beside a test.
package enum Snapshot {
    /// Expects `text` to equal the golden file `name`.
    ///
    /// With `REPRISE_RECORD=1` in the environment the file is written instead, and the test fails,
    /// so that nobody takes a recording run for a passing one.
    package static func expect(
        _ text: String, _ name: String, in file: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
            .appending(path: "Snapshots", directoryHint: .isDirectory)
        let url = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["REPRISE_RECORD"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
            Issue.record("\(name) was written anew", sourceLocation: sourceLocation)
            return
        }
        let golden = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        guard text != golden else { return }
        let pair = zip(
            text.split(separator: "\n", omittingEmptySubsequences: false),
            golden.split(separator: "\n", omittingEmptySubsequences: false))
        let line = pair.enumerated().first { $0.element.0 != $0.element.1 }
        let place = line.map { "line \($0.offset + 1): \($0.element.0)" } ?? "its length"
        Issue.record(
            "\(name) differs at \(place) (REPRISE_RECORD=1 writes it anew)",
            sourceLocation: sourceLocation)
    }
}
