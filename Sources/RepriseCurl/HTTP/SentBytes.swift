/// Splits the bytes that go out on a connection into the request's head and its body.
///
/// libcurl tells which bytes are head and which are body, but not reliably where the head does not
/// go out in one write; so the blank line alone decides. Heads of `CONNECT` requests, which are
/// meant for a proxy, are left out.
package struct SentBytes {
    /// What went out.
    package enum Event: Equatable {
        /// The whole head, blank line included.
        case head([UInt8])
        /// Bytes of the body that went out in one write.
        case body([UInt8])
    }

    private var head: [UInt8] = []
    private var isHeadOut = false

    /// Whether anything of the request (not of a `CONNECT`) went out.
    package private(set) var isAnythingOut = false

    package init() {}

    /// Takes the bytes of one write.
    package mutating func push(_ bytes: [UInt8]) -> [Event] {
        if bytes.isEmpty { return [] }
        if isHeadOut { return [.body(bytes)] }
        // The blank line may be split over two writes.
        let from = max(0, head.count - 3)
        head += bytes
        isAnythingOut = !isForProxy
        guard let end = endOfHead(from: from) else { return [] }
        let rest = Array(head[end...])
        head.removeSubrange(end...)
        if isForProxy {
            head = []
            return push(rest)
        }
        isHeadOut = true
        let whole = head
        head = []
        return rest.isEmpty ? [.head(whole)] : [.head(whole), .body(rest)]
    }

    private var isForProxy: Bool { head.starts(with: Array("CONNECT ".utf8)) }

    private func endOfHead(from start: Int) -> Int? {
        let blankLine: [UInt8] = [13, 10, 13, 10]
        guard head.count >= 4 else { return nil }
        for at in start...(head.count - 4) where head[at..<(at + 4)].elementsEqual(blankLine) {
            return at + 4
        }
        return nil
    }
}
