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
        for span in spans {
            for index in span.range { bytes[index] = mask(of: bytes[index], rule: span.rule) }
        }
        return bytes
    }

    /// A URL that a client refuses for its user info is refused with the mask in it as well.
    private static func mask(of byte: UInt8, rule: String) -> UInt8 {
        guard rule == MaskingPolicy.userInfoRule else { return UInt8(ascii: "*") }
        return switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): byte
        case 0x21...0x7E: UInt8(ascii: "*")
        default: UInt8(ascii: " ")
        }
    }
}
