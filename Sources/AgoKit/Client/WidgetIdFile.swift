import RepriseTransport

/// Where an installation keeps its widget id: see `InstallationIdFile`.
///
/// The id is a credential: whoever has it reads the user's conversations.
public struct WidgetIdFile: Sendable, Hashable {
    private let file: InstallationIdFile

    /// A file at `path`; its folder is made if it is missing.
    public init(path: String) { file = InstallationIdFile(path: path) }

    private init() { file = InstallationIdFile(name: "ago_widget_id") }

    /// `reprise/ago_widget_id` in the user's data folder: on Linux `$XDG_DATA_HOME` or
    /// `~/.local/share`, on Darwin `~/Library/Application Support`.
    public static var standard: WidgetIdFile { WidgetIdFile() }

    /// The id; made and kept if there is none.
    package func read() throws(AgoError) -> String { try failing(file.read) }

    /// A new id in the place of the old one.
    package func replace() throws(AgoError) -> String { try failing(file.replace) }

    private func failing(
        _ body: () throws(InstallationIdFile.Failure) -> String
    ) throws(AgoError) -> String {
        do {
            return try body()
        } catch {
            throw AgoError(.widgetId, error.message("the widget id"))
        }
    }
}
