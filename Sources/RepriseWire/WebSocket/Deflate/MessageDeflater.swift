import RepriseSupport

/// Deflates the messages of one direction (RFC 7692 section 7.2.1). Not thread-safe.
package final class MessageDeflater {
    /// The end of a flushed stream, which does not cross the wire.
    static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    private let deflate: Deflate
    private let forgets: Bool

    /// A deflater whose peer was told these parameters.
    package init(windowBits: Int, noContextTakeover: Bool) {
        // zlib has no raw window of 256 bytes, but with one of 512 it looks back 250 bytes at most
        // (MAX_DIST in its deflate.h), so that 8 bits are kept to as well.
        deflate = Deflate(.raw(windowBits: Int32(windowBits)))
        forgets = noContextTakeover
    }

    /// The payload of a deflated message, to be cut into frames at will.
    package func message(_ bytes: [UInt8]) -> [UInt8] {
        // An empty block without its tail (section 7.2.3.6); zlib would not flush twice.
        if bytes.isEmpty { return [0x00] }
        if forgets { deflate.reset() }
        var output: [UInt8] = []
        deflate.push(bytes, flush: .sync, into: &output)
        if output.suffix(4).elementsEqual(Self.tail) { output.removeLast(4) }
        return output
    }

    /// The payload of one frame of a deflated message whose frames inflate to given bytes each.
    package func part(_ bytes: [UInt8], isFirst: Bool, isLast: Bool) -> [UInt8] {
        if isFirst, forgets { deflate.reset() }
        var output: [UInt8] = []
        deflate.push(bytes, flush: .sync, into: &output)
        guard isLast else { return output }
        // What is flushed already ends with its tail: an empty block is left to say (section
        // 7.2.3.6).
        if output.isEmpty { return [0x00] }
        if output.suffix(4).elementsEqual(Self.tail) { output.removeLast(4) }
        return output
    }
}
