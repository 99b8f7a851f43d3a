internal import RepriseAnalysis

/// Numbers as the page shows them: the same on every machine.
enum Quantity {
    /// A duration with as many digits as tell something, e.g. `4.33 ms`, `412 ms`, `12.50 s`.
    static func time(_ nanoseconds: Int64) -> String {
        switch nanoseconds.magnitude {
        case 0: "0 ms"
        case _ where !Milliseconds.isInRange(nanoseconds): "out of range"
        case ..<10_000_000: "\(Milliseconds.text(nanoseconds, decimals: 2)) ms"
        case ..<100_000_000: "\(Milliseconds.text(nanoseconds, decimals: 1)) ms"
        case ..<10_000_000_000: "\(Milliseconds.text(nanoseconds, decimals: 0)) ms"
        // A thousandth is to a second what a nanosecond's million is to a millisecond.
        default: "\(Milliseconds.text(nanoseconds / 1_000, decimals: 2)) s"
        }
    }

    /// A count, its digits in groups of three.
    static func count(_ count: some BinaryInteger) -> String {
        let digits = Array(String(count.magnitude))
        let groups = digits.indices.map { index -> String in
            let isGap = index > 0 && (digits.count - index).isMultiple(of: 3)
            return (isGap ? "\u{202F}" : "") + String(digits[index])
        }
        return (count < 0 ? "−" : "") + groups.joined()
    }

    /// `part` of `whole` in percent with two decimals, from 0 to 100.
    static func percent(_ part: Int64, of whole: Int64) -> String {
        percent(hundredths: hundredths(part, of: whole))
    }

    /// Hundredths of a percent as percent, e.g. `12.05%`.
    static func percent(hundredths: Int64) -> String {
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)%"
    }

    /// A mark of an axis that is `length` long.
    static func mark(_ time: Int64, onAxisOf length: Int64) -> String {
        if time == 0 { return "0" }
        return length < 10_000_000_000
            ? "\(Milliseconds.text(time)) ms" : "\(Milliseconds.text(time / 1_000)) s"
    }

    /// In hundredths of a percent.
    static func hundredths(_ part: Int64, of whole: Int64) -> Int64 {
        guard whole > 0, part > 0 else { return 0 }
        return Int64((Int128(min(part, whole)) * 10_000 + Int128(whole) / 2) / Int128(whole))
    }
}
