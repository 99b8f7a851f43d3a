/// Text that comes piece by piece, each of its lines behind some blanks, so that none looks like a
/// line of this program.
struct IndentedText {
    /// How many blanks.
    static let indent = 2

    /// The terminal's columns; nil where nothing is broken. A terminal breaks long lines itself, and
    /// goes on without blanks.
    private let width: Int?
    /// How far the line has come.
    private var column = 0

    init(width: Int?) { self.width = width.map { max($0, 4 * Self.indent) } }

    /// Whether something stands on the line.
    private(set) var isBegun = false

    /// The next line begins, whoever ended this one.
    mutating func endLine() {
        column = 0
        isBegun = false
    }

    /// The next piece as it is to be written.
    mutating func push(_ text: String) -> String {
        var result = ""
        for character in text {
            let columns = Self.columns(of: character, at: column)
            let isFull = width.map { column > Self.indent && column + columns > $0 } ?? false
            if isFull || character == "\n" {
                result += "\n"
                endLine()
            }
            if character == "\n" { continue }
            if !isBegun {
                result += String(repeating: " ", count: Self.indent)
                column = Self.indent
                isBegun = true
            }
            result.append(character)
            column += columns
        }
        return result
    }

    /// `text` in lines of at most `width` columns, all but the first behind blanks.
    static func hanging(_ text: String, width: Int?) -> String {
        var lines = IndentedText(width: width)
        lines.isBegun = true
        return lines.push(text)
    }

    /// At least as many as any terminal takes for it: what takes more than is counted would be
    /// broken by the terminal.
    private static func columns(of character: Character, at column: Int) -> Int {
        if character == "\t" { return 8 - column % 8 }
        return character.unicodeScalars.reduce(0) { sum, scalar in
            switch scalar.value {
            // The joiner and the selectors within an emoji.
            case 0x200D, 0xFE0E, 0xFE0F: sum
            case ..<0x1100: sum + 1
            default: sum + 2
            }
        }
    }
}
