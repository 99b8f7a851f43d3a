/// Masks one complete text: what a rule found in it, then every known secret.
struct TextMasker {
    /// The text and what is masked in it, in order.
    struct Result {
        var bytes: [UInt8]
        var spans: [MaskSpan]
    }

    /// Masks `text`; `finds` do not overlap.
    ///
    /// - Parameter isSearched: Whether known secrets are searched for besides.
    static func mask(
        _ text: [UInt8], _ finds: [SecretFind] = [], isSearched: Bool = true,
        table: inout SecretTable
    ) -> Result {
        var spans: [MaskSpan] = []
        for find in finds where !find.range.isEmpty {
            let place = table.place(
                of: find.value, written: Array(text[find.range]), isSearched: find.isSearchable)
            spans.append(
                MaskSpan(range: find.range, rule: find.rule, secret: table.number(of: place)))
        }
        for match in isSearched ? table.trie.matches(in: text) : [] {
            for range in free(match.range, of: spans) {
                spans.append(
                    MaskSpan(range: range, rule: "known", secret: table.number(of: match.secret)))
            }
        }
        spans.sort { $0.range.lowerBound < $1.range.lowerBound }
        return Result(bytes: starred(text, spans), spans: spans)
    }

    /// The parts of `range` that no span covers.
    private static func free(_ range: Range<Int>, of spans: [MaskSpan]) -> [Range<Int>] {
        var parts = [range]
        for taken in spans.map(\.range) {
            parts = parts.flatMap { part -> [Range<Int>] in
                guard part.overlaps(taken) else { return [part] }
                let before = part.lowerBound..<max(part.lowerBound, taken.lowerBound)
                let after = min(part.upperBound, taken.upperBound)..<part.upperBound
                return [before, after].filter { !$0.isEmpty }
            }
        }
        return parts
    }

    private static func starred(_ text: [UInt8], _ spans: [MaskSpan]) -> [UInt8] {
        var bytes = text
        for index in spans.lazy.flatMap(\.range) { bytes[index] = UInt8(ascii: "*") }
        return bytes
    }
}
