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

/// Where things are while tests run.
package enum Workspace {
    /// The package's folder.
    package static var root: String {
        // Tests/TestSupport/Workspace.swift
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }

    /// The Python of the test peers, made by `make setup`.
    package static var python: String {
        get throws {
            let path = "\(root)/.venv/bin/python"
            guard FileManager.default.isExecutableFile(atPath: path) else {
                throw TestSupportError("there is no \(path): run `make setup`")
            }
            return path
        }
    }

    /// The command `reprise`, as built beside the running tests.
    package static var command: String {
        get throws {
            let runner = CommandLine.arguments[0]
            let folder = runner.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            let path = (folder + ["reprise"]).joined(separator: "/")
            guard FileManager.default.isExecutableFile(atPath: path) else {
                throw TestSupportError("there is no \(path): run `swift build`")
            }
            return path
        }
    }

    /// Nanoseconds of the system's monotonic clock, the one in the logs of the peers.
    package static var monotonic: Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
