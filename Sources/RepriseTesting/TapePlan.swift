/// What a test is to do with its tape.
package struct TapePlan: Sendable, Hashable {
    /// Whether it records, where the tape is as it is.
    package var records: Bool
    /// Where answers come from unless it records.
    package var playback: Tape.Playback

    /// - Parameters:
    ///   - hasTape: Whether there is one.
    ///   - environment: The process's.
    /// - Throws: ``TapeFault`` where there is nothing that could be done.
    package init(
        _ options: Tape.Options, hasTape: Bool, environment: [String: String]
    ) throws(TapeFault) {
        let playback: Tape.Playback? = try TapePlan.value("REPRISE_PLAYBACK", environment)
        self.playback = playback ?? options.playback
        let asked: Tape.Mode? = try TapePlan.value("REPRISE_RECORD_MODE", environment)
        let own = TapePlan.isCI(environment) ? Tape.Mode.none : options.mode
        let mode = asked ?? own
        records = self.playback != .live && (mode == .all || mode == .once && !hasTape)
    }

    private static func value<Value: RawRepresentable & CaseIterable>(
        _ name: String, _ environment: [String: String]
    ) throws(TapeFault) -> Value? where Value.RawValue == String {
        guard let text = environment[name], !text.isEmpty else { return nil }
        if let value = Value(rawValue: text) { return value }
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw TapeFault("\(name) is \"\(text)\"; it can be \(names)")
    }

    /// Whether this is a machine that builds for everybody.
    static func isCI(_ environment: [String: String]) -> Bool {
        !["", "0", "false"].contains(environment["CI"]?.lowercased() ?? "")
    }
}

/// Why a test cannot have its tape.
package struct TapeFault: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
