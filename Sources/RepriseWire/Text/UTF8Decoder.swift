/// An incremental UTF-8 decoder as of the WHATWG Encoding standard (section 8.1.1): bytes in, in
/// any pieces, valid UTF-8 out, with U+FFFD for each maximal part of a character that cannot be.
///
/// A character whose last byte is still to come is held back; a byte order mark is kept.
public struct UTF8Decoder: Sendable {
    private var character = UTF8Sequence()
    /// The bytes of the open character that came in earlier pushes.
    private var held: [UInt8] = []

    /// How many bytes were taken.
    public private(set) var count = 0
    /// Offset of the first byte that is no part of a character; nil while there is none.
    public private(set) var firstInvalid: Int?

    /// A decoder at the start of a stream.
    public init() {}

    /// Takes the next bytes and gives the text that they hold or complete.
    public mutating func push(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        push(bytes.span, into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Says that no byte follows, and gives U+FFFD if a character was open.
    public mutating func finish() -> String {
        guard character.isOpen else { return "" }
        note(count - held.count)
        held = []
        character = UTF8Sequence()
        return "\u{FFFD}"
    }

    /// Takes the next bytes and appends the UTF-8 that they hold or complete.
    package mutating func push(_ bytes: Span<UInt8>, into output: inout [UInt8]) {
        var index = 0
        // Everything before `done` is in the output; an open character begins at `start`.
        var done = 0
        var start = -held.count
        while index < bytes.count {
            let byte = bytes[index]
            if character.isOpen {
                guard character.accept(byte) else {
                    note(count + start)
                    output.append(bytes, done..<max(done, start))
                    output.append(contentsOf: UTF8.encodedReplacementCharacter)
                    held.removeAll(keepingCapacity: true)
                    done = index
                    continue
                }
                if !character.isOpen && !held.isEmpty {
                    output.append(contentsOf: held)
                    held.removeAll(keepingCapacity: true)
                }
            } else if byte < 0x80 {
                index = bytes.asciiEnd(from: index + 1)
                continue
            } else if character.begin(byte) {
                start = index
            } else {
                note(count + index)
                output.append(bytes, done..<index)
                output.append(contentsOf: UTF8.encodedReplacementCharacter)
                done = index + 1
            }
            index += 1
        }
        hold(bytes, from: start, done: done, into: &output)
        count += bytes.count
    }

    private mutating func hold(
        _ bytes: Span<UInt8>, from start: Int, done: Int, into output: inout [UInt8]
    ) {
        let end = character.isOpen ? max(done, start) : bytes.count
        output.append(bytes, done..<end)
        held.append(bytes, end..<bytes.count)
    }

    private mutating func note(_ offset: Int) {
        if firstInvalid == nil { firstInvalid = offset }
    }
}

extension Span<UInt8> {
    /// The first place from `index` that is not ASCII, or a place fewer than eight bytes before the
    /// end; eight bytes at a time.
    func asciiEnd(from index: Int) -> Int {
        var index = index
        while index + 8 <= count {
            let hits = word(at: index) & 0x8080_8080_8080_8080
            if hits != 0 { return index + hits.trailingZeroBitCount / 8 }
            index += 8
        }
        return index
    }

    /// The eight bytes from `index`, the first one in the lowest place.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= count - 8)
        return unsafe UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The offset of the first byte that is no part of a character; nil where all are. A character
    /// that the end cuts off counts as invalid.
    func firstInvalidUTF8() -> Int? {
        var validator = UTF8Validator()
        return validator.push(self) ?? validator.unfinished
    }
}

extension [UInt8] {
    /// Appends a part of `bytes`.
    mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        if range.isEmpty { return }
        unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
