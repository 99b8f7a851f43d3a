internal import RepriseTape

/// `reprise verify`
struct VerifyCommand: Command {
    static let help = CommandHelp(
        name: "verify",
        abstract: "Check that tapes are whole",
        discussion: [
            "Reads every member and checks its checksum, the order of members and frames, the "
                + "index, that each frame is of its kind, and that the frames make a recording.",
            "Ends with 1 if a tape is damaged (rule tape.R3) or cannot be read. A tape without an "
                + "end, whose recorder died, is a warning (tape.R2) and ends with 0: all that it "
                + "holds can be used. What a repaired tape lost before is a note.",
        ],
        positionals: [
            .init(
                name: "TAPE", maximum: nil, text: "Tapes or .jsonl files; - reads standard input.")
        ],
        examples: [
            ("reprise verify Recordings/*.tape", "Checks a folder of tapes.")
        ])

    private let paths: [String]

    init(_ arguments: ParsedArguments) throws { paths = arguments.positionals }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        var status = ExitStatus.success
        for path in paths where !verify(path, terminal) { status = .failure }
        return status
    }

    /// Tells about one tape.
    ///
    /// - Returns: Whether it has no error.
    private func verify(_ path: String, _ terminal: Terminal) -> Bool {
        var progress = ReadingProgress(path, terminal)
        do throws(TapeError) {
            let found = try TapeVerification(try TapeReader(path: path)) { progress.show($0) }
            terminal.progress("")
            for finding in found.findings {
                tell(
                    finding.severity, "\(path): \(finding.severity.rawValue): ", finding.message,
                    terminal)
            }
            tell(found, path, terminal)
            return found.errors == 0
        } catch {
            terminal.progress("")
            tell(.error, "\(path): error: ", error.reason, terminal)
            return false
        }
    }

    private func tell(
        _ severity: TapeVerification.Severity, _ head: String, _ text: String, _ terminal: Terminal
    ) {
        let style: OutputStream.Style =
            switch severity {
            case .error: .red
            case .warning: .yellow
            case .note: .faint
            }
        terminal.print(
            terminal.output.styled(OutputStream.line(head), style) + OutputStream.line(text))
    }

    private func tell(_ found: TapeVerification, _ path: String, _ terminal: Terminal) {
        let summary = found.summary
        var parts = [TapeArgument.counted(summary.frames, "frame")]
        if summary.members > 0 { parts.append(TapeArgument.counted(summary.members, "member")) }
        parts.append(TapeArgument.counted(UInt64(found.exchanges), "exchange"))
        if summary.unverifiedFrames > 0 { parts.append("\(summary.unverifiedFrames) unverified") }
        let state =
            if summary.frames == 0 && summary.damages.allSatisfy({ $0.kind == .unsealed }) {
                "empty"
            } else if found.errors > 0 {
                "damaged"
            } else if !summary.isSealed {
                "unsealed"
            } else {
                summary.damageCount > 0 ? "repaired" : "whole"
            }
        if summary.damages.contains(where: { $0.kind == .member }) {
            terminal.complain(
                "\(path): 'reprise repair --salvage' may save some frames of a damaged member")
        }
        let style: OutputStream.Style = found.errors > 0 ? .red : .green
        terminal.print(
            "\(OutputStream.line(path)): \(terminal.output.styled(state, style)), "
                + parts.joined(separator: ", "))
    }
}
