/// The secrets of one session: their values, in memory only, and their numbers.
struct SecretTable: Sendable {
    /// Shorter values are masked where a rule finds them, but not searched for: they would be found
    /// in harmless text.
    ///
    /// Longer ones are not searched for either, which bounds the memory of the search.
    static let searchedLengths = 8...8192

    /// What is searched for.
    private(set) var trie = SecretTrie()

    private var places: [[UInt8]: Int] = [:]
    /// The number of each secret; 0 while it has not appeared.
    private var numbers: [Int] = []
    private var searched: Set<Int> = []
    private var appeared = 0

    /// Whether no secret is known.
    var isEmpty: Bool { numbers.isEmpty }

    /// How many secrets are searched for.
    var count: Int { searched.count }

    /// The place of a secret in this table, new or not.
    ///
    /// - Parameter written: How it stands where it was found, which is searched for as well.
    mutating func place(
        of value: [UInt8], written: [UInt8]? = nil, isSearched: Bool = true
    ) -> Int {
        let place = places[value] ?? numbers.count
        if place == numbers.count {
            numbers.append(0)
            places[value] = place
        }
        guard isSearched, SecretTable.isSearchable(value) else { return place }
        if searched.insert(place).inserted {
            for form in SecretForms.all(of: value) { trie.insert(form, secret: place) }
        }
        if let written, written != value, SecretTable.isSearchable(written) {
            trie.insert(written, secret: place)
        }
        return place
    }

    /// The number of the secret at `place`: distinct secrets count from 1 in order of appearance.
    mutating func number(of place: Int) -> Int {
        if numbers[place] == 0 {
            appeared += 1
            numbers[place] = appeared
        }
        return numbers[place]
    }

    private static func isSearchable(_ text: [UInt8]) -> Bool {
        // A mask that comes back from a replayed tape is no secret.
        searchedLengths.contains(text.count) && text.contains { $0 != UInt8(ascii: "*") }
    }
}
