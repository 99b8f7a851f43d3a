/// A message while its frames come.
struct OpenMessage {
    enum State {
        case sound
        /// Text that is not UTF-8, which a violation said.
        case invalid
        /// Given up, which a violation said.
        case dropped
        /// Deflated with a window that is not known any more.
        case unreadable
    }

    let isText: Bool
    let isDeflated: Bool
    let firstFrame: Int
    var state: State
    /// Whether its frames are inflated already from some frame on.
    var isInflated = false
    var bytes: [UInt8] = []
    var wireCount = 0
    private var validator = UTF8Validator()
    private var validated = 0

    init(_ frame: WebSocketFrame, number: Int, state: State) {
        isText = frame.opcode == .text
        isDeflated = frame.rsv1
        firstFrame = number
        self.state = state
    }

    /// Gives the message up, and its memory.
    mutating func drop() {
        state = .dropped
        bytes = []
    }

    /// Where the text so far, or at its end as a whole, stops being UTF-8; told once.
    mutating func firstInvalid(atEnd: Bool) -> Int? {
        guard isText, state == .sound else { return nil }
        var validator = validator
        let fault = validator.push(bytes.span.extracting(validated..<bytes.count))
        self.validator = validator
        validated = bytes.count
        let found = fault ?? (atEnd ? validator.unfinished : nil)
        if found != nil { state = .invalid }
        return found
    }

    /// The message, which ended.
    func message(lastFrame: Int) -> WebSocketMessage {
        WebSocketMessage(
            kind: isText ? .text : .binary, bytes: bytes, isDeflated: isDeflated,
            isValid: state == .sound, frames: firstFrame...lastFrame, wireCount: wireCount)
    }
}
