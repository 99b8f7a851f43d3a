extension HTMLPage {
    /// A table that scrolls sideways where it is too wide, and on a narrow screen becomes a list.
    ///
    /// - Parameters:
    ///   - caption: What it shows, for those who do not see it.
    ///   - isCode: Columns, by title, of which the cells are names and not words.
    func table(_ table: ReportTable, _ caption: String, code isCode: Set<String> = []) -> Markup {
        let rows = Markup.each(table.rows) { row in
            let cells = Markup.each(zip(table.columns, row).dropFirst()) { column, cell in
                let text: Markup =
                    isCode.contains(column.title) ? "<code>\(cell)</code>" : "<bdi>\(cell)</bdi>"
                return HTMLPage.cell(column, text)
            }
            let (name, title) = (row.first ?? "", table.columns.first?.title ?? "")
            let head: Markup =
                isCode.contains(title) ? "<code>\(name)</code>" : "<bdi>\(name)</bdi>"
            return """
                <tr><th scope="row" data-title="\(title)">\(head)</th>\(cells)</tr>

                """
        }
        return HTMLPage.frame(caption, HTMLPage.head(table.columns), "<tbody>\n\(rows)</tbody>\n")
    }

    /// The table around its rows.
    ///
    /// - Parameter isDense: Whether its cells are numbers of few digits.
    static func frame(
        _ caption: String, _ head: Markup, _ bodies: Markup, isDense: Bool = false
    ) -> Markup {
        """
        <div class="scroll\(isDense ? " dense" : "")" role="region" aria-label="\(caption)" \
        tabindex="0"><table>
        <caption class="unseen">\(caption)</caption>
        \(head)\(bodies)</table></div>

        """
    }

    static func head(_ columns: [ReportTable.Column]) -> Markup {
        let cells = Markup.each(columns) { column in
            let number: Markup = column.isNumber ? " class=\"number\"" : ""
            return "<th scope=\"col\"\(number)>\(column.fullTitle ?? column.title)</th>"
        }
        return "<thead><tr>\(cells)</tr></thead>\n"
    }

    /// A cell; on a narrow screen its column's title stands above it.
    static func cell(_ column: ReportTable.Column, _ text: Markup) -> Markup {
        let isWide = ["path", "SHA-256", "outcome", "outcomes", "reason"].contains(column.title)
        let look: Markup =
            column.isNumber ? " class=\"number\"" : isWide ? " class=\"wide\"" : ""
        return "<td\(look) data-title=\"\(column.fullTitle ?? column.title)\">\(text)</td>"
    }

    /// A word in a frame.
    static func chip(_ text: String, _ grade: Waterfall.Grade) -> Markup {
        "<span class=\"chip \(grade.rawValue)\"><bdi>\(text)</bdi></span>"
    }
}
