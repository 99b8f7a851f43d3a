#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where an installation keeps its widget id: a file of mode 0600 in a folder of mode 0700.
///
/// The id is a credential: whoever has it reads the user's conversations. The file is written
/// whole or not at all; of two processes that make one at the same time, the first one's stands
/// for both. A file that holds anything but a UUID is taken as damaged and replaced.
public struct WidgetIdFile: Sendable, Hashable {
    /// The path; nil where there is no folder for it.
    package let path: String?

    /// A file at `path`; its folder is made if it is missing.
    public init(path: String) { self.path = path }

    private init(in folder: String?) { path = folder.map { $0 + "/ago_widget_id" } }

    /// `reprise/ago_widget_id` in the user's data folder: on Linux `$XDG_DATA_HOME` or
    /// `~/.local/share`, on Darwin `~/Library/Application Support`.
    public static var standard: WidgetIdFile {
        WidgetIdFile(in: dataFolder(ProcessInfo.processInfo.environment).map { $0 + "/reprise" })
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

    /// The id; made and kept if there is none.
    package func read() throws(AgoError) -> String {
        let file = try open()
        if let text = try failing(file.read) {
            if let id = WidgetIdFile.id(in: text) { return id }
            return try replace()
        }
        let fresh = UUID().uuidString
        if try failing({ () throws(SystemFailure) in try file.create(fresh) }) { return fresh }
        // Another process was first.
        guard let text = try failing(file.read), let id = WidgetIdFile.id(in: text) else {
            return try replace()
        }
        return id
    }

    /// A new id in the place of the old one.
    package func replace() throws(AgoError) -> String {
        let file = try open()
        let fresh = UUID().uuidString
        try failing { () throws(SystemFailure) in try file.replace(fresh) }
        return fresh
    }

    private func open() throws(AgoError) -> PrivateFile {
        guard let path else {
            throw AgoError(
                .widgetId,
                "there is no folder for the widget id, since HOME is not set; set it, or create "
                    + "the client with a widget id")
        }
        return PrivateFile(path: path)
    }

    private func failing<Value>(_ body: () throws(SystemFailure) -> Value) throws(AgoError) -> Value
    {
        do {
            return try body()
        } catch {
            throw AgoError(
                .widgetId,
                "the widget id in the user's data folder cannot be \(error.what): \(error.reason); "
                    + "make the folder writable, or create the client with a widget id")
        }
    }

    private static func id(in text: String) -> String? {
        let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
        return UUID(uuidString: line) == nil ? nil : line
    }
}
