/// A moment in a header field, in whole seconds (RFC 9110 section 5.6.7).
package struct HTTPDate: Sendable, Hashable {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    package let seconds: Int64

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` and the two obsolete forms, `Sunday, 06-Nov-94
    /// 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`; nil for anything else. The name of the day is
    /// not compared; a year of two digits is one from 1970 to 2069.
    package init?(_ text: String) {
        var parts = text.split { " ,-".contains($0) }.map(String.init)
        guard parts.count == 6 && parts[5] == "GMT" || parts.count == 5 else { return nil }
        // The last form has the month before the day, and the year behind the time.
        if parts.count == 5 { parts = [parts[0], parts[2], parts[1], parts[4], parts[3]] }
        guard let day = HTTPDate.number(parts[1], 1...31),
            let month = HTTPDate.months.firstIndex(of: parts[2]),
            let year = HTTPDate.year(parts[3]), let time = HTTPDate.time(parts[4])
        else { return nil }
        seconds = HTTPDate.days(year, Int64(month) + 1, day) * 86_400 + time
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: String, _ range: ClosedRange<Int64>) -> Int64? {
        guard (1...4).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(text), range.contains(number)
        else { return nil }
        return number
    }

    private static func year(_ text: String) -> Int64? {
        guard let year = number(text, 0...9999) else { return nil }
        if text.utf8.count == 4 { return year }
        return text.utf8.count == 2 ? year + (year < 70 ? 2000 : 1900) : nil
    }

    private static func time(_ text: String) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let hour = number(parts[0], 0...23),
            let minute = number(parts[1], 0...59), let second = number(parts[2], 0...60)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// The days from 1970-01-01 to a date of the proleptic Gregorian calendar.
    ///
    /// Years are counted from March, which puts the leap day at their end, in cycles of 400 years
    /// (146,097 days).
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month < 3 ? year - 1 : year
        let cycle = (year + 400) / 400 - 1
        let yearOfCycle = year - cycle * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        return cycle * 146_097 + dayOfCycle - 719_468
    }
}
