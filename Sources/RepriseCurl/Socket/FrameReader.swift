package import RepriseWire

/// Reads a server's frames and keeps apart what is none.
package struct FrameReader {
    /// What one read brought.
    package struct Read: Equatable {
        /// Frames, and last a violation where there is one.
        package var items: [WebSocketFrameDecoder.Item] = []
        /// The bytes of the server from the violation's first on, also where earlier reads brought
        /// some of them.
        package var refused: [UInt8] = []
    }

    private var decoder: WebSocketFrameDecoder
    /// The bytes of a frame's head that is not complete.
    private var begun: [UInt8] = []
    private var frameEnd = 0
    private var hasFailed = false

    package init(limits: WebSocketLimits) {
        decoder = WebSocketFrameDecoder(sender: .server, limits: limits)
    }

    /// Takes the bytes of one read.
    package mutating func push(_ bytes: [UInt8]) -> Read {
        if hasFailed { return Read(refused: bytes) }
        let start = decoder.count - begun.count
        let items = decoder.push(bytes)
        for case .frame(_, let range) in items { frameEnd = range.upperBound }
        if case .violation? = items.last {
            hasFailed = true
            defer { begun = [] }
            return Read(items: items, refused: Array((begun + bytes).dropFirst(frameEnd - start)))
        }
        let isInHead = decoder.partial == nil && decoder.unfinished > 0
        begun = isInHead ? Array((begun + bytes.suffix(14)).suffix(decoder.unfinished)) : []
        return Read(items: items)
    }
}
