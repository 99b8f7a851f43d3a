#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where the tapes of a test are.
struct TapeFolder: Sendable {
    let path: String

    /// - Parameters:
    ///   - folder: The folder, from the test's file on unless it begins with a slash; nil for
    ///     `Recordings`.
    ///   - file: The test's file.
    init(_ folder: String?, besides file: String) {
        let folder = folder ?? "Recordings"
        let place = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        path = folder.hasPrefix("/") ? folder : (place + [folder[...]]).joined(separator: "/")
    }

    /// The file of a tape, and whether it is there: with an extension that one, else the tape or
    /// else the JSON lines of that name.
    func find(_ name: String) -> (path: String, exists: Bool) {
        let endings = ["tape", "jsonl"]
        let isWhole = endings.contains { name.hasSuffix("." + $0) }
        let files = isWhole ? ["\(path)/\(name)"] : endings.map { "\(path)/\(name).\($0)" }
        if let found = files.first(where: { FileManager.default.fileExists(atPath: $0) }) {
            return (found, true)
        }
        return (files[0], false)
    }
}
