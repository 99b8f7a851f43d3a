/// Searches a stream for known secrets, byte by byte.
struct KnownScanner: Sendable {
    /// A secret that ended at the byte just taken.
    struct Match {
        /// Position of its first byte in the stream.
        var start: Int
        /// Its place in the table.
        var secret: Int
    }

    private struct Walker {
        var start: Int
        var node: Int32
    }

    /// What may become a secret, the earliest first.
    private var walkers: [Walker] = []

    init() {}

    /// Takes the byte at `position`; the longest secret that ends with it, if one does.
    mutating func step(_ byte: UInt8, at position: Int, in trie: SecretTrie) -> Match? {
        let begun = trie.child(of: SecretTrie.root, byte)
        if walkers.isEmpty, begun == 0 { return nil }
        var match: Match?
        var kept = 0
        for index in walkers.indices {
            let node = trie.child(of: walkers[index].node, byte)
            if node == 0 { continue }
            if match == nil, let secret = trie.secret(at: node) {
                match = Match(start: walkers[index].start, secret: secret)
            }
            walkers[kept] = Walker(start: walkers[index].start, node: node)
            kept += 1
        }
        walkers.removeLast(walkers.count - kept)
        if begun != 0 { walkers.append(Walker(start: position, node: begun)) }
        return match
    }

    /// Position of the first byte of the longest tail that may begin a secret; `end` is the
    /// position behind the last byte taken.
    func openTail(atLeast length: Int, end: Int) -> Int? {
        guard let first = walkers.first, end - first.start >= length else { return nil }
        return first.start
    }
}

extension SecretTrie {
    /// The secrets in a complete text; where two overlap, the second lacks what is the first's.
    func matches(in text: [UInt8]) -> [(range: Range<Int>, secret: Int)] {
        if isEmpty { return [] }
        var scanner = KnownScanner()
        var matches: [(range: Range<Int>, secret: Int)] = []
        for (position, byte) in text.enumerated() {
            guard let match = scanner.step(byte, at: position, in: self) else { continue }
            // A longer secret may follow one that it begins with.
            while let last = matches.last, match.start <= last.range.lowerBound {
                matches.removeLast()
            }
            let start = max(match.start, matches.last?.range.upperBound ?? 0)
            if start <= position { matches.append((start..<position + 1, match.secret)) }
        }
        return matches
    }
}
