import RepriseSupport
import RepriseTape
import RepriseWire
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

enum Samples {
    static let session = SessionRecord(
        session: "0123456789abcdef", wall: "2026-11-30T06:06:00.000000001Z",
        recorder: "reprise/0.1.0")
}

extension TemporaryFolder {
    /// The names in the folder, in order.
    func names() -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

func readFile(_ path: String) throws -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
        let count = unsafe chunk.withUnsafeMutableBytes { buffer in
            unsafe read(descriptor, buffer.baseAddress, buffer.count)
        }
        try #require(count >= 0)
        if count == 0 { return bytes }
        bytes += chunk.prefix(count)
    }
}

func writeFile(_ path: String, _ bytes: [UInt8]) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(descriptor, buffer.baseAddress, buffer.count)
    }
    try #require(count == bytes.count)
}

/// What a gzip file holds, and in how many members.
func gunzip(_ bytes: [UInt8]) throws -> (bytes: [UInt8], members: Int) {
    var output: [UInt8] = []
    var position = 0
    var members = 0
    while position < bytes.count {
        let inflate = Inflate(.gzip)
        try #require(try inflate.push(bytes, from: &position, into: &output) == .ended)
        members += 1
    }
    return (output, members)
}

extension Samples {
    /// A frame of every kind, with the values that are hard to keep.
    static let contents: [FrameContent] = [
        .client(ClientRecord(client: "ago", config: ["baseURL": "https://a.example/x"])),
        .call(CallRecord(call: 1, op: "sendMessage", args: ["content": "hi"])),
        .call(CallRecord(call: 2, client: 3, op: "sendMessage", args: ["content": "hi"])),
        .request(
            RequestRecord(
                call: 1, method: "POST", url: "https://a.example/é?q=1",
                headers: ["Accept": "text/event-stream", "accept": "*/*"])),
        .requestBody(Array("{\"content\":\"hi\"}".utf8)),
        .requestEnd,
        .entropy(EntropyRecord(call: 1, purpose: "boundary", ordinal: 0, value: "x")),
        .response(
            ResponseRecord(
                status: 200, reason: "Okay",
                headers: Headers([.init("X", WireText(bytes: [0xff, 0x00, 0x41]))]))),
        .phases(PhasesRecord(lookup: 1, connect: 2, reused: false, protocolName: "http/1.1")),
        .responseBody([0x1f, 0x8b, 0xff, 0]),
        .responseBody([]),
        .responseBody(Array("data: \u{2028}\u{0}\"\\\r\n".utf8)),
        .held(60_000_000),
        .masked(MaskedRecord(frame: 3, offset: 1, length: 2, rule: "known", provisional: true)),
        .reveal(RevealRecord(frame: 3, offset: 1, bytes: [0x22, 0xff])),
        .tool(
            ToolRecord(
                id: "t", name: "n", state: .finished, outcome: .value,
                output: ["a": .number("1.50")])),
        .decodedBody(Array("plain".utf8)),
        .socketFrame(
            SocketFrameRecord(flags: [.fromServer, .fin, .rsv1], opcode: 1, bytes: [0xaa, 0x56])),
        .socketFrame(SocketFrameRecord(flags: [], opcode: 11, bytes: Array("x".utf8))),
        .socketFrame(
            SocketFrameRecord(
                flags: [.rsv1, .inflated, .corrupt], opcode: 2, bytes: Array("***".utf8))),
        .note("a note\nof two lines"),
        .unknown(Frame.Kind(rawValue: 42), [1, 2, 3]),
        .end(EndRecord(how: .complete, framing: .chunked, proven: true, trailers: ["A": "b"])),
        .request(RequestRecord(method: "GET", url: "https://a.example/")),
        .end(
            EndRecord(
                how: .complete,
                coding: ContentCodingError(
                    kind: .corrupt, coding: "gzip", offset: 7, detail: "invalid block type"))),
        .call(CallRecord(call: 1, result: nil, error: ["code": "x", "message": "y"])),
    ]

    static let frames: [Frame] =
        [Frame(.session(session), time: 0, number: 0)]
        + contents.enumerated().map { index, content in
            Frame(
                content, exchange: exchange(of: content), time: Int64(index * 1000 % 7919),
                number: UInt64(index + 1))
        }

    /// Three exchanges beside the session, of which the second has nothing but what needs no
    /// request.
    private static func exchange(of content: FrameContent) -> UInt64 {
        switch content {
        case .client, .call, .tool, .entropy: 0
        case .note, .unknown: 2
        case .request(let record) where record.call == nil: 3
        case .end(let record) where record.coding != nil: 3
        default: 1
        }
    }

    /// The bytes of a tape of `frames`.
    ///
    /// - Parameter commit: After which frames, by their place, to commit.
    static func tape(
        _ frames: [Frame] = frames, sealed: Bool = true, memberSize: Int = TapeFormat.memberSize,
        commit: (Int) -> Bool = { _ in false }
    ) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        let writer = try TapeWriter(
            path: path, tape: TapeID(session: session.session), replacing: false,
            memberSize: memberSize)
        for (index, frame) in frames.enumerated() {
            writer.append(frame)
            if commit(index) { try writer.commit() }
        }
        try writer.commit()
        if sealed { try writer.close() }
        return try readFile(path)
    }
}

/// All that a reader gives.
struct ReadTape {
    var items: [TapeReader.Item] = []
    var summary = TapeSummary()

    var frames: [Frame] {
        items.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }
    var damages: [Damage] {
        items.compactMap { if case .damage(let damage) = $0 { damage } else { nil } }
    }

    init(_ reader: TapeReader) throws(TapeError) {
        while let item = try reader.next() { items.append(item) }
        summary = reader.summary
    }

    init(_ bytes: [UInt8], salvaging: Bool = false) throws(TapeError) {
        try self.init(TapeReader(bytes: bytes, salvaging: salvaging))
    }
}
