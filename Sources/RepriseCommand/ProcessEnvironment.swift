#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The environment of this process.
enum ProcessEnvironment {
    /// All variables.
    static var variables: [String: String] { ProcessInfo.processInfo.environment }
}
