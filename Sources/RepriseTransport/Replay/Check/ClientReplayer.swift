public import RepriseWire

/// A client that can be built from a tape and run its recorded operations again.
public protocol ClientReplayer: Sendable {
    /// The name in the tape's `client` frames, e.g. `ago`.
    static var client: String { get }

    /// Builds the client from its recorded configuration, with stand-ins for credentials, which
    /// are masked there.
    ///
    /// - Throws: Where the configuration lacks something.
    init(config: JSONObject, transport: any Transport) throws

    /// Runs a recorded operation to its end, a stream until nothing more comes.
    ///
    /// The client journals the operation itself, as it did when it was recorded.
    ///
    /// - Throws: What the operation throws, and for an operation that it does not know.
    func perform(op: String, args: JSON) async throws
}
