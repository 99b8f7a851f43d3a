#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A moment of the wall clock, in UTC. It anchors a session and is used for nothing else.
public struct WallTime: Sendable, Hashable {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public var seconds: Int64
    /// Nanoseconds of the second, from 0 to 999,999,999.
    public var nanoseconds: Int64

    /// A moment.
    public init(seconds: Int64, nanoseconds: Int64 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The system's `CLOCK_REALTIME`.
    public static func now() -> WallTime {
        var time = timespec()
        // Cannot fail: the clock exists and the address is good.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }

    /// RFC 3339 with nanoseconds, e.g. `2026-11-30T06:06:00.000000001Z`.
    public var rfc3339: String {
        let days = seconds.dividedDown(by: 86_400)
        let second = seconds - days * 86_400
        let (year, month, day) = WallTime.date(days)
        let date = "\(WallTime.padded(year, 4))-\(WallTime.padded(month))-\(WallTime.padded(day))"
        let time = [second / 3600, second / 60 % 60, second % 60]
            .map { WallTime.padded($0) }.joined(separator: ":")
        return "\(date)T\(time).\(WallTime.padded(nanoseconds, 9))Z"
    }

    /// The date that is `days` after 1970-01-01 in the proleptic Gregorian calendar.
    ///
    /// Years are counted from March, which puts the leap day at their end, in cycles of 400 years
    /// (146,097 days).
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let cycle = shifted.dividedDown(by: 146_097)
        let dayOfCycle = shifted - cycle * 146_097
        let leaps = dayOfCycle / 1460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
        let yearOfCycle = (dayOfCycle - leaps) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfCycle + cycle * 400
        return month < 10 ? (year, month + 3, day) : (year + 1, month - 9, day)
    }

    private static func padded(_ value: Int64, _ width: Int = 2) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    fileprivate func dividedDown(by divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
}
