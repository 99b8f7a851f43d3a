#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where an installation keeps an id of its own: a file of mode 0600 in a folder of mode 0700.
///
/// The file is written whole or not at all; of two processes that make one at the same time, the
/// first one's stands for both. A file that holds anything but a UUID is taken as damaged and
/// replaced.
public struct InstallationIdFile: Sendable, Hashable {
    /// The path; nil where there is no folder for it.
    package let path: String?

    /// A file at `path`; its folder is made if it is missing.
    public init(path: String) { self.path = path }

    /// `reprise/` and `name` in the user's data folder: on Linux `$XDG_DATA_HOME` or
    /// `~/.local/share`, on Darwin `~/Library/Application Support`.
    public init(name: String) {
        let folder = InstallationIdFile.dataFolder(ProcessInfo.processInfo.environment)
        path = folder.map { "\($0)/reprise/\(name)" }
    }

    /// The user's data folder; nil where the environment names none.
    package static func dataFolder(_ environment: [String: String]) -> String? {
        func folder(_ name: String, _ rest: String) -> String? {
            // A relative path there is to be ignored (XDG Base Directory Specification).
            environment[name].flatMap { $0.hasPrefix("/") ? $0 + rest : nil }
        }
        #if canImport(Darwin)
        return folder("HOME", "/Library/Application Support")
        #else
        return folder("XDG_DATA_HOME", "") ?? folder("HOME", "/.local/share")
        #endif
    }

    /// Why the id cannot be had.
    public enum Failure: Error, Sendable, Hashable {
        /// The environment names no folder for it.
        case noFolder
        /// The system refuses: what was to be done, as a participle, and its words for why not.
        case refused(what: String, reason: String)

        /// What happened and what to do.
        ///
        /// - Parameter name: What the id is called, e.g. `the widget id`.
        package func message(_ name: String) -> String {
            switch self {
            case .noFolder:
                "there is no folder for \(name), since HOME is not set; set it, or create the "
                    + "client with an id"
            case .refused(let what, let reason):
                "\(name) in the user's data folder cannot be \(what): \(reason); make the folder "
                    + "writable, or create the client with an id"
            }
        }
    }

    /// The id; made and kept if there is none.
    public func read() throws(Failure) -> String {
        let file = try open()
        if let text = try failing(file.read) {
            if let id = InstallationIdFile.id(in: text) { return id }
            return try replace()
        }
        let fresh = UUID().uuidString
        if try failing({ () throws(SystemFailure) in try file.create(fresh) }) { return fresh }
        // Another process was first.
        guard let text = try failing(file.read), let id = InstallationIdFile.id(in: text) else {
            return try replace()
        }
        return id
    }

    /// A new id in the place of the old one.
    public func replace() throws(Failure) -> String {
        let file = try open()
        let fresh = UUID().uuidString
        try failing { () throws(SystemFailure) in try file.replace(fresh) }
        return fresh
    }

    private func open() throws(Failure) -> PrivateFile {
        guard let path else { throw .noFolder }
        return PrivateFile(path: path)
    }

    private func failing<Value>(_ body: () throws(SystemFailure) -> Value) throws(Failure) -> Value
    {
        do { return try body() } catch { throw .refused(what: error.what, reason: error.reason) }
    }

    private static func id(in text: String) -> String? {
        let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
        return UUID(uuidString: line) == nil ? nil : line
    }
}
