/// Which ids of now stand for which recorded ones, each for one.
struct IdentifierMap: Sendable, Hashable {
    /// How long an id is at least to be looked for inside of texts: a shorter one may be a word, or
    /// a count.
    static let shortest = 6

    private var recordedByNow: [String: String] = [:]
    private var nowByRecorded: [String: String] = [:]

    /// Whether there are none.
    var isEmpty: Bool { recordedByNow.isEmpty }

    /// The recorded id that one of now stands for.
    func recorded(for now: String) -> String? { recordedByNow[now] }

    /// Lets an id of now stand for a recorded one; false where either has its other already.
    mutating func learn(_ now: String, for recorded: String) -> Bool {
        switch (recordedByNow[now], nowByRecorded[recorded]) {
        case (recorded?, _): return true
        case (nil, nil):
            recordedByNow[now] = recorded
            nowByRecorded[recorded] = now
            return true
        default: return false
        }
    }

    /// What turns texts of now into recorded ones.
    var toRecorded: TokenReplacement { TokenReplacement(recordedByNow.filter(Self.isLong)) }
    /// What turns recorded texts into ones of now.
    var toNow: TokenReplacement { TokenReplacement(nowByRecorded.filter(Self.isLong)) }

    private static func isLong(_ pair: (key: String, value: String)) -> Bool {
        // A number stays one: it may stand without quotes.
        pair.key != pair.value && pair.key.utf8.count >= shortest
            && pair.key.isNumeral == pair.value.isNumeral
            && pair.key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
            && pair.value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
    }
}

extension String {
    /// Whether it is digits alone.
    fileprivate var isNumeral: Bool { utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
