package import RepriseWire

/// Credits as millionths: the wire has fractions of them, and sums are to be exact.
package enum Credits {
    /// A number of credits; nil where it is none, or beyond what 64 bits hold.
    package static func read(_ number: JSON?) -> Int64? {
        (number?.double).flatMap { Int64(exactly: ($0 * 1_000_000).rounded()) }
    }

    /// Without noughts at the end, e.g. `1.5`.
    package static func text(_ credits: Int64) -> String {
        let (whole, part) = credits.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let sign = credits < 0 ? "-" : ""
        guard part > 0 else { return "\(sign)\(whole)" }
        var digits = String(1_000_000 + part).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return "\(sign)\(whole).\(digits)"
    }
}
