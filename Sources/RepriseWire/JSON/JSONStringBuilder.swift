/// The text of one string or key, put together from its tokens.
///
/// While it is one run of the source nothing is copied.
struct JSONStringBuilder {
    private var run: Range<Int>?
    private var buffer: [UInt8] = []

    mutating func reset() {
        run = nil
        buffer.removeAll(keepingCapacity: true)
    }

    /// Appends bytes that stand for themselves.
    mutating func append(text range: Range<Int>, of source: [UInt8]) {
        if run == nil && buffer.isEmpty {
            run = range
        } else {
            flush(source)
            buffer.append(contentsOf: source[range])
        }
    }

    /// Appends what an escape means; a surrogate is U+FFFD.
    mutating func append(scalar: UInt32, of source: [UInt8]) {
        flush(source)
        buffer.append(scalar: scalar)
    }

    /// The text so far.
    func text(of source: [UInt8]) -> String {
        if let run { return String(decoding: source[run], as: UTF8.self) }
        return String(decoding: buffer, as: UTF8.self)
    }

    private mutating func flush(_ source: [UInt8]) {
        guard let run else { return }
        buffer.append(contentsOf: source[run])
        self.run = nil
    }
}

extension [UInt8] {
    /// Appends the UTF-8 form of a scalar value; of a surrogate that of U+FFFD.
    mutating func append(scalar: UInt32) {
        guard let valid = Unicode.Scalar(scalar), let bytes = UTF8.encode(valid) else {
            append(contentsOf: UTF8.encodedReplacementCharacter)
            return
        }
        append(contentsOf: bytes)
    }
}
