import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An article of the documentation.
struct Article {
    let path: String

    init(_ name: String) { path = "\(Workspace.root)/Sources/Reprise/Reprise.docc/\(name)" }

    var text: String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    /// Writes `text` where `REPRISE_RECORD` is set; the test that does so fails.
    func record(_ text: String) throws -> Bool {
        guard ProcessInfo.processInfo.environment["REPRISE_RECORD"] != nil else { return false }
        try Data(text.utf8).write(to: URL(filePath: path))
        return true
    }
}
