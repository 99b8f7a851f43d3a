/// What checking a whole tape found.
package struct TapeVerification: Sendable, Hashable {
    /// Something to tell.
    package struct Finding: Sendable, Hashable {
        package var severity: Severity
        package var message: String
    }

    /// How bad it is.
    package enum Severity: String, Sendable {
        /// Data is missing, cannot be trusted or makes no sense (`tape.R3`).
        case error
        /// The end is unknown (`tape.R2`).
        case warning
        /// What an earlier repair told already.
        case note
    }

    /// What was found, in order of the file; the first 1,000.
    package private(set) var findings: [Finding] = []
    /// How many errors there are, those that are not kept included.
    package private(set) var errors: UInt64 = 0
    /// What was read.
    package private(set) var summary = TapeSummary()
    /// How many exchanges other than the session have a frame.
    package private(set) var exchanges = 0

    /// Whether an earlier repair lost something, and told so.
    private var wasRepaired = false

    /// Reads a tape to its end: every member's checksum, the order and numbers of members and
    /// frames, the index, whether each frame's payload is of its kind, and whether the frames make
    /// a recording.
    package init(_ reader: TapeReader, progress: (UInt64) -> Void = { _ in }) throws(TapeError) {
        var seen: Set<UInt64> = []
        var order = FrameOrder()
        while let item = try reader.next() {
            switch item {
            case .frame(let frame):
                if frame.exchange != 0 { seen.insert(frame.exchange) }
                order.read(frame, content(of: frame))
            case .damage(let damage):
                order.read(damage)
                if damage.kind == .lost { wasRepaired = true }
                add(damage.severity, damage.description)
            }
            progress(reader.summary.endOffset)
        }
        // What goes with a loss is no news either.
        for problem in order.finish() { add(wasRepaired ? .note : .error, problem.description) }
        exchanges = seen.count
        summary = reader.summary
    }

    private mutating func content(of frame: Frame) -> FrameContent? {
        do {
            return try frame.content()
        } catch {
            add(.error, error.description)
            return nil
        }
    }

    private mutating func add(_ severity: Severity, _ message: String) {
        if severity == .error { errors += 1 }
        if findings.count < TapeSummary.damageLimit {
            findings.append(Finding(severity: severity, message: message))
        }
    }
}

extension Damage {
    /// How bad it is.
    package var severity: TapeVerification.Severity {
        switch kind {
        case .unsealed: .warning
        case .lost: .note
        default: .error
        }
    }
}
