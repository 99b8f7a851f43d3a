/// Why a text is no fault.
public struct FaultSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    public var message: String

    /// The message.
    public var description: String { message }
}

extension Fault: CustomStringConvertible {
    /// A fault in words: its kind, and behind an `@` what there is to say of it, with commas between.
    ///
    /// Kinds are `cut`, `stall`, `duplicate`, `reorder`, `corrupt`, `slow` and `status=NUMBER`.
    /// Places are `event:N`, `byte:N` and `time:DURATION`; targets `exchange:N`, `method:NAME` and
    /// `path:PATTERN`. A cut may have `end=fin` (instead of `reset`), a stall `for=DURATION`; slow has
    /// `delay=DURATION` or `factor=NUMBER`; a status may have `body=TEXT`, which goes to the end.
    /// Durations are as `1.5s`, `50ms`, `20us` and `7ns`.
    ///
    /// - Throws: ``FaultSyntaxError``.
    public init(_ text: String) throws(FaultSyntaxError) {
        var reader = try FaultText(text)
        self = try reader.fault()
    }

    /// The fault in words that ``init(_:)`` takes.
    public var description: String {
        let items = placeItems + targetItems + parameterItems
        return name + (items.isEmpty ? "" : "@" + items.joined(separator: ","))
    }

    /// Tells one who asked for it that it did nothing.
    package var neverStruck: String { "the fault \(self) never struck" }

    private var name: String {
        switch kind {
        case .cut: "cut"
        case .stall: "stall"
        case .duplicate: "duplicate"
        case .reorder: "reorder"
        case .corrupt: "corrupt"
        case .delay, .slow: "slow"
        case .status(let status, _): "status=\(status)"
        }
    }

    private var placeItems: [String] {
        if case .status = kind { return [] }
        return switch place {
        case .start: []
        case .event(let number): ["event:\(number)"]
        case .byte(let offset): ["byte:\(offset)"]
        case .time(let time): ["time:\(Duration.text(time))"]
        }
    }

    private var targetItems: [String] {
        [
            target.exchange.map { "exchange:\($0)" }, target.method.map { "method:\($0)" },
            target.path.map { "path:\($0)" },
        ].compactMap { $0 }
    }

    private var parameterItems: [String] {
        switch kind {
        case .cut(.fin): ["end=fin"]
        case .stall(let time?): ["for=\(Duration.text(time))"]
        case .delay(let time): ["delay=\(Duration.text(time))"]
        case .slow(let factor): ["factor=\(factor)"]
        case .status(_, let body) where !body.isEmpty: ["body=\(body)"]
        default: []
        }
    }
}

/// Durations in words.
private enum Duration {
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
    ]

    /// In the largest unit of which it is a whole number.
    static func text(_ nanoseconds: Int64) -> String {
        for unit in units where nanoseconds.isMultiple(of: unit.nanoseconds) {
            return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
        }
        return "\(nanoseconds)ns"
    }

    static func nanoseconds(_ text: Substring) -> Int64? {
        // "s" ends the others as well.
        for unit in units.reversed() where text.hasSuffix(unit.name) {
            let number = text.dropLast(unit.name.count)
            guard number.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }) else { continue }
            if let whole = Int64(number) {
                let (product, overflow) = whole.multipliedReportingOverflow(by: unit.nanoseconds)
                return overflow ? nil : product
            }
            guard let value = Double(number) else { return nil }
            return Int64(exactly: (value * Double(unit.nanoseconds)).rounded())
        }
        return nil
    }
}

/// Reads a fault in words.
private struct FaultText {
    private let text: String
    private var kind: Substring
    private var value: Substring?
    private var items: [(key: Substring, value: Substring)] = []

    init(_ text: String) throws(FaultSyntaxError) {
        self.text = text
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) {
            $0 == "@" || $0 == ","
        }
        let head = (halves.first ?? "").split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        kind = head.first ?? ""
        value = head.count > 1 ? head[1] : nil
        guard halves.count > 1 else { return }
        var rest: Substring? = halves[1]
        while let next = rest {
            let end = next.hasPrefix("body=") ? nil : next.firstIndex(of: ",")
            rest = end.map { next[next.index(after: $0)...] }
            items.append(try item(next[..<(end ?? next.endIndex)]))
        }
    }

    private func item(_ text: Substring) throws(FaultSyntaxError) -> (Substring, Substring) {
        guard let mark = text.firstIndex(where: { $0 == ":" || $0 == "=" }) else {
            throw wrong("'\(text)' is neither a place, such as event:3, nor a target or a setting")
        }
        // Places and targets have colons, settings have equals signs.
        let isSetting = ["end", "for", "delay", "factor", "body"].contains(text[..<mark])
        guard isSetting == (text[mark] == "=") else {
            throw wrong("'\(text)' is written with '\(isSetting ? "=" : ":")'")
        }
        return (text[..<mark], text[text.index(after: mark)...])
    }

    mutating func fault() throws(FaultSyntaxError) -> Fault {
        let kind = try takeKind()
        var fault = Fault(kind, at: try takePlace() ?? .start)
        if case .status = kind, fault.place != .start {
            throw wrong("a status has no place but an exchange, e.g. status=503@exchange:2")
        }
        switch (fault.kind, fault.place) {
        case (.duplicate, .event(0)), (.reorder, .event(0)), (.corrupt, .event(0)):
            throw wrong("events are counted from 1")
        default: break
        }
        fault.target = Fault.Target(
            exchange: try take("exchange", "a number from 1") {
                Int($0).flatMap { $0 > 0 ? $0 : nil }
            },
            method: try take("method", "a method") { $0.isEmpty ? nil : String($0) },
            path: try take("path", "a path, * for any characters") {
                $0.hasPrefix("/") || $0.hasPrefix("*") ? String($0) : nil
            })
        if let (key, _) = items.first { throw wrong("'\(key)' does not go with \(self.kind)") }
        return fault
    }

    private mutating func takeKind() throws(FaultSyntaxError) -> Fault.Kind {
        if value != nil, kind != "status" { throw wrong("\(kind) has no value") }
        switch kind {
        case "cut":
            return .cut(
                try take("end", "reset or fin") { Fault.Ending(rawValue: String($0)) } ?? .reset)
        case "stall": return .stall(try takeDuration("for"))
        case "duplicate": return .duplicate
        case "reorder": return .reorder
        case "corrupt": return .corrupt
        case "slow": return try takeSlow()
        case "status":
            guard let status = value.flatMap({ Int($0) }), (200...599).contains(status) else {
                throw wrong("a status is a number from 200 to 599, e.g. status=503")
            }
            return .status(status, body: try take("body", "a text") { String($0) } ?? "")
        default:
            throw wrong(
                "its kind is one of cut, stall, duplicate, reorder, corrupt, slow and status=NUMBER"
            )
        }
    }

    private mutating func takeSlow() throws(FaultSyntaxError) -> Fault.Kind {
        let delay = try takeDuration("delay")
        let factor = try take("factor", "a number from 1") { text -> Double? in
            Double(text).flatMap { $0.isFinite && $0 >= 1 ? $0 : nil }
        }
        switch (delay, factor) {
        case (let delay?, nil): return .delay(delay)
        case (nil, let factor?): return .slow(factor)
        default: throw wrong("slow has either a delay or a factor, e.g. slow@event:1,delay=50ms")
        }
    }

    private mutating func takePlace() throws(FaultSyntaxError) -> Fault.Place? {
        let event = try take("event", "a number from 0") { Self.number($0) }
        let byte = try take("byte", "a number from 0") { Self.number($0) }
        let time = try takeDuration("time")
        let places = [
            event.map(Fault.Place.event), byte.map(Fault.Place.byte), time.map(Fault.Place.time),
        ]
        .compactMap { $0 }
        if places.count > 1 { throw wrong("it has more than one place") }
        return places.first
    }

    private static func number(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }

    private mutating func takeDuration(_ key: String) throws(FaultSyntaxError) -> Int64? {
        try take(key, "a duration, e.g. 1.5s or 50ms") { Duration.nanoseconds($0) }
    }

    /// Takes the item of that key, if there is one.
    private mutating func take<Value>(
        _ key: String, _ expected: String, _ convert: (Substring) -> Value?
    ) throws(FaultSyntaxError) -> Value? {
        guard let index = items.firstIndex(where: { $0.key == key }) else { return nil }
        let text = items.remove(at: index).value
        if items.contains(where: { $0.key == key }) { throw wrong("'\(key)' is there twice") }
        guard let value = convert(text) else { throw wrong("\(key) is \(expected), not '\(text)'") }
        return value
    }

    private func wrong(_ reason: String) -> FaultSyntaxError {
        FaultSyntaxError(message: "'\(text)' is no fault: \(reason)")
    }
}
