#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A folder of a test's own, gone with the value.
package final class TemporaryFolder: Sendable {
    /// Its absolute path.
    package let path: String

    /// Makes the folder.
    package init() throws {
        let base = FileManager.default.temporaryDirectory.path
        var template = Array("\(base)/reprise-test-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return unsafe mkdtemp(base) != nil
        }
        guard made else { throw TestSupportError("no temporary folder", errno: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of `name` in the folder; nothing is made.
    package func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// The bytes of a file in the folder.
    package func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
    }

    /// Writes a file in the folder and returns its path.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }
}
