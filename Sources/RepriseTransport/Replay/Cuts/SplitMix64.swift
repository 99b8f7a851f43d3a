/// A small generator of numbers that depend on nothing but a seed (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014).
struct SplitMix64: Sendable, RandomNumberGenerator {
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The generator of that number of a family: one does not go on like the next.
    init(seed: UInt64, member: UInt64) {
        var family = SplitMix64(seed: seed)
        state = family.next() ^ (member &* Self.step)
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= Self.step
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Lengths of pieces as a network might make them: of one byte as often as of some, or of many.
struct RandomLengths: Sendable {
    private var generator: SplitMix64

    init(seed: UInt64, member: UInt64) {
        generator = SplitMix64(seed: seed, member: member)
    }

    mutating func next() -> Int {
        // Which of the lengths below a power of two, then one of those; 1 to 2,047.
        let bits = generator.next() % 11
        return 1 + Int(truncatingIfNeeded: generator.next() & ((1 << bits) - 1))
    }
}
