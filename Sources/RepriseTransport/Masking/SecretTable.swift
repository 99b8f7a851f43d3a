/// The secrets of one session: their values, in memory only, and their numbers.
struct SecretTable: Sendable {
    /// Shorter values are masked where a rule finds them, but not searched for: they would be found
    /// in harmless text.
    static let searchedLength = 8
    /// Longer ones neither, which bounds the memory of the search.
    static let searchedLimit = 8192

    /// What is searched for.
    private(set) var trie = SecretTrie()

    private var places: [[UInt8]: Int] = [:]
    /// The number of each secret; 0 while it has not appeared.
    private var numbers: [Int] = []
    private var searched: Set<Int> = []
    private var appeared = 0

    /// The place of a secret in this table, new or not.
    mutating func place(of value: [UInt8], isSearched: Bool = true) -> Int {
        let place = places[value] ?? numbers.count
        if place == numbers.count {
            numbers.append(0)
            places[value] = place
        }
        if isSearched { search(value, place) }
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

    private mutating func search(_ value: [UInt8], _ place: Int) {
        guard value.count >= SecretTable.searchedLength, value.count <= SecretTable.searchedLimit,
            // A mask that comes back from a replayed tape is no secret.
            value.contains(where: { $0 != UInt8(ascii: "*") }), searched.insert(place).inserted
        else { return }
        for form in SecretForms.all(of: value) { trie.insert(form, secret: place) }
    }
}
