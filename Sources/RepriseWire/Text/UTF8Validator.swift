/// Tells where bytes that come in pieces stop being UTF-8, at the first byte that cannot be.
struct UTF8Validator: Sendable, Hashable {
    private var character = UTF8Sequence()
    private var count = 0
    private var start = 0

    /// Takes the next bytes, and gives the offset, over all pieces, of the first that begins no
    /// character or one that is cut short; nothing is defined behind that.
    mutating func push(_ bytes: Span<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if character.isOpen {
                guard character.accept(byte) else { return start }
            } else if byte < 0x80 {
                index = bytes.asciiEnd(from: index + 1)
                continue
            } else {
                start = count + index
                guard character.begin(byte) else { return start }
            }
            index += 1
        }
        count += bytes.count
        return nil
    }

    /// The offset of a character that the end cuts off; nil where there is none.
    var unfinished: Int? { character.isOpen ? start : nil }
}
