/// Lays text out in columns, counting characters.
enum TextLayout {
    /// `text` broken at blanks into lines of at most `width`, the later ones indented by `hanging`.
    /// The blanks that `text` begins with are kept.
    static func wrapped(_ text: String, width: Int, hanging: Int = 0) -> String {
        let start = String(text.prefix { $0 == " " })
        var lines: [String] = []
        var line = start
        var isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty && line.count + 1 + word.count > max(width, hanging + 20) {
                lines.append(line)
                line = String(repeating: " ", count: hanging)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        lines.append(line)
        return lines.joined(separator: "\n")
    }

    /// Terms at the left and their wrapped explanations in one column, each line ended.
    static func definitions(_ rows: [(term: String, text: String)], width: Int) -> String {
        let limit = 30
        let column = min(rows.map(\.term.count).max() ?? 0, limit) + 4
        var text = ""
        for row in rows {
            var head = "  " + row.term
            if row.term.count > limit {
                text += head + "\n"
                head = ""
            }
            let pad = String(repeating: " ", count: max(0, column - head.count))
            text += head + pad
            let body = wrapped(row.text, width: width - column)
            text += body.replacing("\n", with: "\n" + String(repeating: " ", count: column)) + "\n"
        }
        return text
    }
}
