internal import RepriseTape
internal import RepriseWire

/// Masks what crosses an open WebSocket, each side by itself.
struct SocketMasker {
    private var client: SocketSideMasker
    private var server: SocketSideMasker
    /// What the server sent and is no frame.
    private var stray: UndecodedMasker

    /// - Parameter deflate: What the handshake agreed on.
    init(deflate: PerMessageDeflate?, sensitive: SensitivePaths) {
        client = SocketSideMasker(.client, deflate: deflate, paths: sensitive.request)
        server = SocketSideMasker(.server, deflate: deflate, paths: sensitive.response)
        stray = UndecodedMasker(paths: sensitive.response, isText: true)
    }

    /// Masks a frame, which becomes frame `frame` of the tape.
    mutating func push(
        _ record: SocketFrameRecord, frame: UInt64, table: inout SecretTable
    ) -> (content: FrameContent, output: BodyMasker.Output) {
        let masked =
            record.sender == .client
            ? client.push(record, frame: frame, table: &table)
            : server.push(record, frame: frame, table: &table)
        return (.socketFrame(masked.record), masked.output)
    }

    /// Masks bytes that are no frame.
    mutating func push(
        stray bytes: [UInt8], frame: UInt64, table: inout SecretTable
    ) -> (content: FrameContent, output: BodyMasker.Output) {
        let output = stray.push(bytes, frame: frame, table: &table)
        return (.responseBody(output.bytes), output)
    }

    /// What is known at the end of the connection.
    mutating func finish(table: inout SecretTable) -> [FrameContent] {
        client.finish(table: &table) + server.finish(table: &table) + stray.finish(table: &table)
    }
}
