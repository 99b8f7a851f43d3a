extension Rule {
    /// Nothing arrived.
    public static let timeT1 = Rule(
        "time.T1", .warning, "a stall: nothing arrived",
        "No byte came for longer than the larger of ten times the stream's median gap and half a "
            + "second. Time in which the app held the stream is not counted.",
        source: "the report's definitions")
    /// Nothing of meaning arrived.
    public static let timeT2 = Rule(
        "time.T2", .warning, "a stall hidden by heartbeats",
        "Only comments, heartbeats or other runs of the connection came for that long: it lives, "
            + "the answer does not go on.",
        source: "the report's definitions")
    /// No usage.
    public static let usageU1 = Rule(
        "usage.U1", .info, "a finished turn without usage",
        "The vendor reports token counts, but not for this turn.",
        source: "the vendor's documentation of the stream")
    /// Usage that cannot be.
    public static let usageU2 = Rule(
        "usage.U2", .warning, "token counts that do not add up",
        "The total is not the sum of its parts, or a count falls within a stream although counts "
            + "are cumulative.",
        source: "the report's definitions")
    /// Arguments that cannot be read.
    public static let toolL1 = Rule(
        "tool.L1", .error, "a tool call's arguments are not JSON",
        "They are complete and do not parse: the tool cannot be called.",
        source: "RFC 8259; the vendor's documentation of tool calls")
    /// A call without an answer.
    public static let toolL2 = Rule(
        "tool.L2", .warning, "a tool call was never answered",
        "The recording ends without a result for it. The agent waits, or goes on without knowing.",
        source: "the vendor's documentation of tool calls")
    /// A result without a call.
    public static let toolL3 = Rule(
        "tool.L3", .error, "a tool result that answers nothing",
        "It comes before its call is complete, names a call that was never made, or repeats a "
            + "result that was already given.",
        source: "the vendor's documentation of tool calls")
    /// The recorder died.
    public static let tapeR1 = Rule(
        "tape.R1", .error, "the recorder died before an exchange or an operation ended",
        "What came after the last recorded byte is unknown. A turn without its end counts as "
            + "failed.",
        source: "the tape format")
    /// The tape has no end.
    public static let tapeR2 = Rule(
        "tape.R2", .warning, "the end of the recording is unknown",
        "The tape was not closed, or was repaired since: everything in it is read, what followed "
            + "is unknown.",
        source: "the tape format")
    /// The tape is damaged.
    public static let tapeR3 = Rule(
        "tape.R3", .error, "the tape is damaged",
        "A part of it is damaged, missing, repeated or of another tape, or its frames do not make "
            + "a recording. What could be read is reported; what could not is left out.",
        source: "the tape format")
}

extension Rule {
    /// The rules that hold for every protocol, in the order of the documentation.
    public static let general: [Rule] =
        [
            .httpH1, .httpH2, .httpH3, .httpH4, .httpH5, .httpH6,
            .sseS1, .sseS2, .sseS3, .sseS4, .sseS5, .sseS6,
        ] + socket + [
            .jsonJ1, .jsonJ2, .jsonJ3, .jsonJ4, .jsonJ5,
            .timeT1, .timeT2, .usageU1, .usageU2, .toolL1, .toolL2, .toolL3,
            .tapeR1, .tapeR2, .tapeR3,
        ]
}
