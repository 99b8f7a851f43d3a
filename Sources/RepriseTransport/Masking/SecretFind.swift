/// A secret found by a rule in a complete text.
struct SecretFind: Hashable, Sendable {
    /// Where in the text's bytes.
    var range: Range<Int>
    /// Which rule, as a `masked` frame names it.
    var rule: String
    /// The secret itself: without scheme word and percent encoding.
    var value: [UInt8]
    /// Whether the rule knows it for a credential. A value that is only suspected by its name and
    /// looks like a plain word is masked in its place but not searched for elsewhere.
    var isCertain = true
    /// Whether the value is masked in its place only, since it may be something else.
    var isLocal = false
}

/// A secret inside another, for instance the password of `Basic`: searched for, never masked by
/// itself.
typealias InnerSecret = [UInt8]

extension SecretFind {
    /// Whether the value is worth searching for: not a word like `accepted` or `interactive`.
    var isSearchable: Bool {
        if isLocal { return false }
        return isCertain || value.count >= 16
            || !value.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
    }

    /// Whether the value is masked wherever it stands, in bodies as well.
    var isMaskedEverywhere: Bool {
        isSearchable && SecretTable.searchedLengths.contains(value.count)
    }
}
