public import RepriseAnalysis

/// A form of the report.
public enum ReportFormat: String, Sendable, Hashable, CaseIterable {
    /// For the terminal.
    case text
    /// For programs; the source of the others.
    case json
    /// For people, on a page.
    case markdown
    /// For people, in a browser: one file that needs no other and no script.
    case html

    /// The file's name where a report goes into a folder.
    public var fileName: String {
        switch self {
        case .text: "report.txt"
        case .json: "report.json"
        case .markdown: "report.md"
        case .html: "report.html"
        }
    }

    /// The report in this form; of the text, at 100 columns and without colours.
    public func render(_ report: Report) -> String {
        switch self {
        case .text: TextReport().render(report)
        case .json: report.jsonText
        case .markdown: MarkdownReport().render(report)
        case .html: HTMLReport().render(report)
        }
    }
}
