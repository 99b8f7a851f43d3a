/// Rows and columns, before they are laid out.
struct ReportTable {
    /// A column.
    struct Column {
        var title: String
        /// The title where the one before it is not in sight, if that is another.
        var fullTitle: String?
        /// Numbers stand at the right.
        var isNumber = false
    }

    var columns: [Column]
    var rows: [[String]] = []

    init(_ titles: [String], numbersFrom first: Int) {
        columns = titles.enumerated().map { Column(title: $1, isNumber: $0 >= first) }
    }

    /// The table without the columns in which every row has nothing.
    var compact: ReportTable {
        let used = columns.indices.filter { column in
            rows.contains { !$0[column].isEmpty && $0[column] != "–" }
        }
        var table = self
        table.columns = used.map { columns[$0] }
        table.rows = rows.map { row in used.map { row[$0] } }
        return table
    }
}
