internal import RepriseTape
internal import RepriseWire

/// Masks what crosses an open WebSocket, each side by itself.
struct SocketMasker {
    private var client: SocketSideMasker
    private var server: SocketSideMasker
    /// What the server sent and is no frame.
    private var stray: UndecodedMasker
    private var hasStray = false

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

    /// Masks bytes that are no frame; of one that did not come whole the head stays, and the payload
    /// is masked as the whole one's would be.
    mutating func push(
        stray bytes: [UInt8], frame: UInt64, table: inout SecretTable
    ) -> (content: FrameContent, output: BodyMasker.Output) {
        if !hasStray, let begun = UnfinishedFrame(bytes) {
            hasStray = true
            let output = server.push(begun, frame: frame, table: &table)
            return (.responseBody(begun.head + output.bytes), output)
        }
        hasStray = true
        let output = stray.push(bytes, frame: frame, table: &table)
        return (.responseBody(output.bytes), output)
    }

    /// What is known at the end of the connection.
    mutating func finish(table: inout SecretTable) -> [FrameContent] {
        client.finish(table: &table) + server.finish(table: &table) + stray.finish(table: &table)
    }
}

/// A frame of a server that did not come whole.
struct UnfinishedFrame {
    /// The bytes of its head.
    let head: [UInt8]
    /// With as much of the payload as came.
    let record: SocketFrameRecord

    /// nil where the bytes are something else.
    init?(_ bytes: [UInt8]) {
        var decoder = WebSocketFrameDecoder(sender: .server)
        guard decoder.push(bytes).isEmpty else { return nil }
        let frame = decoder.partial ?? WebSocketFrame(.ping, [])
        head = Array(bytes.dropLast(frame.payload.count))
        record = SocketFrameRecord(frame, from: .server)
    }
}
