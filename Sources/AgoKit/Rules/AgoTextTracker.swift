/// The text of an answer so far, and whether the two ways to send it agree.
struct AgoTextTracker: Sendable {
    /// Beyond that many bytes texts are no longer compared: 16 MiB.
    static let limit = 16 << 20

    private(set) var isEmpty = true
    private var text: [UInt8] = []
    private var isCut = false
    private var hasDeltas = false
    private var hasFull = false

    /// How `full_content` disagrees.
    enum Disagreement {
        /// With the content before it.
        case withContent
        /// With an earlier one and the content since.
        case withItself
    }

    mutating func append(_ content: String) {
        guard !content.isEmpty else { return }
        isEmpty = false
        hasDeltas = true
        keep(Array(content.utf8))
    }

    /// - Returns: What is new in it, and how it disagrees with what came before.
    mutating func replace(_ full: String) -> (new: String, Disagreement?) {
        let bytes = Array(full.utf8)
        var disagreement: Disagreement?
        if hasDeltas && !isCut && bytes != text {
            disagreement = hasFull ? .withItself : .withContent
        }
        // By bytes: by characters a combining mark would count as a part of what came before.
        let extends = !isCut && bytes.starts(with: text)
        let new = extends ? String(decoding: bytes[text.count...], as: UTF8.self) : full
        text = []
        isCut = false
        hasFull = true
        hasDeltas = false
        keep(bytes)
        if !bytes.isEmpty { isEmpty = false }
        return (new, disagreement)
    }

    private mutating func keep(_ bytes: [UInt8]) {
        if isCut || text.count + bytes.count > AgoTextTracker.limit {
            isCut = true
            text = []
        } else {
            text += bytes
        }
    }
}
