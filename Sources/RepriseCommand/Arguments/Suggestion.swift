/// Guesses what a mistyped word was meant to be.
enum Suggestion {
    /// `; did you mean X?`, or nothing where no name is near.
    static func text(for word: String, among names: [String]) -> String {
        let ranked = names.map { (distance(word, $0), $0) }.sorted { $0 < $1 }
        guard let (distance, name) = ranked.first, distance <= max(2, word.count / 3) else {
            return ""
        }
        return "; did you mean \(name)?"
    }

    /// How many insertions, deletions and replacements lead from one to the other (Levenshtein).
    static func distance(_ first: String, _ second: String) -> Int {
        let columns = Array(second)
        var row = Array(0...columns.count)
        for (line, character) in first.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in columns.enumerated() {
                let replaced = diagonal + (character == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[columns.count]
    }
}
