/// Nanoseconds as milliseconds in decimal: exact, and the same on every machine; `out of range`
/// where no session lasts so long.
package enum Milliseconds {
    /// Durations that a session can have: less than 18 years.
    ///
    /// Recorded times are bounded so that they can be added; what is told of them is not.
    package static func isInRange(_ nanoseconds: Int64) -> Bool {
        nanoseconds.magnitude < 1 << 59
    }

    /// All digits that there are, without noughts at the end, e.g. `12.5` for 12,500,000.
    package static func text(_ nanoseconds: Int64) -> String {
        guard isInRange(nanoseconds) else { return "out of range" }
        let whole = nanoseconds.magnitude / 1_000_000
        let rest = nanoseconds.magnitude % 1_000_000
        let sign = nanoseconds < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        var digits = String(rest)
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(sign)\(whole).\(digits)"
    }

    /// Rounded to so many decimals (0 to 6), halves away from zero, all of them given.
    package static func text(_ nanoseconds: Int64, decimals: Int) -> String {
        guard isInRange(nanoseconds) else { return "out of range" }
        let unit = (decimals..<6).reduce(into: UInt64(1)) { unit, _ in unit *= 10 }
        let rounded = (nanoseconds.magnitude + unit / 2) / unit
        let scale = (0..<decimals).reduce(into: UInt64(1)) { scale, _ in scale *= 10 }
        let sign = nanoseconds < 0 && rounded > 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(rounded)" }
        let digits = String(rounded % scale)
        let padded = String(repeating: "0", count: decimals - digits.count) + digits
        return "\(sign)\(rounded / scale).\(padded)"
    }
}
