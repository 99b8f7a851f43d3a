/// Reads a server's frames, and keeps apart the bytes that are none.
package struct WebSocketFrameReader: Sendable {
    /// What one read brought.
    package struct Read: Equatable {
        /// Frames, and last a violation where there is one.
        package var items: [WebSocketFrameDecoder.Item] = []
        /// The bytes of the server from the violation's first on, also where earlier reads brought
        /// some of them.
        package var refused: [UInt8] = []
    }

    private var decoder: WebSocketFrameDecoder
    private var hasFailed = false

    package init(limits: WebSocketLimits) {
        decoder = WebSocketFrameDecoder(sender: .server, limits: limits)
    }

    /// Whether the next byte is the first of a frame.
    package var isBetweenFrames: Bool { !hasFailed && decoder.unfinished == 0 }

    /// Takes the bytes of one read.
    package mutating func push(_ bytes: [UInt8]) -> Read {
        if hasFailed { return Read(refused: bytes) }
        // Only a head is refused, so a payload under way need not be kept.
        let begun = decoder.partial == nil ? decoder.unfinishedBytes : []
        let start = decoder.count - begun.count
        let items = decoder.push(bytes)
        guard case .violation? = items.last else { return Read(items: items) }
        hasFailed = true
        var end = start
        for case .frame(_, let range) in items { end = range.upperBound }
        return Read(items: items, refused: Array((begun + bytes).dropFirst(end - start)))
    }

    /// Takes the bytes of a frame that did not end, once nothing follows.
    package mutating func finish() -> [UInt8] {
        if hasFailed { return [] }
        hasFailed = true
        return decoder.unfinishedBytes
    }
}
