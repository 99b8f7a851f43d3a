/// Collects lines, so that many take few writes; on a terminal they are shown at once.
struct LineBuffer {
    private let output: OutputStream
    private var bytes: [UInt8] = []

    init(_ output: OutputStream) { self.output = output }

    /// Appends a line and its end.
    mutating func append(_ line: some Sequence<UInt8>) {
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
        if output.isTerminal || bytes.count >= 64 << 10 { flush() }
    }

    mutating func flush() {
        output.write(bytes: bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
