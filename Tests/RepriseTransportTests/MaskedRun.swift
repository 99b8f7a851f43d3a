import RepriseTape
import RepriseTransport
import RepriseWire

/// A body that went through a redactor in pieces, and what a tape would hold of it.
struct MaskedRun {
    /// Frames of the body.
    var frames: [Frame] = []
    /// All frames.
    var all: [Frame] = []
    var map = MaskMap()
    var reveals = 0
    var provisional = 0
    var originalSizes: [Int] = []

    /// Cuts `body` into pieces of `size` bytes.
    init(
        _ body: String, size: Int, mediaType: String? = "application/json",
        secrets: [String] = [], sensitive: [String] = []
    ) throws {
        let cuts = Array(stride(from: size, to: body.utf8.count, by: size))
        try self.init(
            body, cuts: cuts, mediaType: mediaType, secrets: secrets, sensitive: sensitive)
    }

    /// Cuts `body` at ascending offsets.
    init(
        _ body: String, cuts: [Int], mediaType: String? = "application/json",
        secrets: [String] = [], sensitive: [String] = []
    ) throws {
        let bytes = Array(body.utf8)
        let bounds = [0] + cuts + [bytes.count]
        let pieces = zip(bounds, bounds.dropFirst()).map { Array(bytes[$0..<$1]) }
        try self.init(
            pieces, headers: mediaType.map { ["Content-Type": $0] } ?? [:], secrets: secrets,
            sensitive: sensitive)
    }

    init(
        _ pieces: [[UInt8]], headers: [String: String], secrets: [String], sensitive: [String]
    ) throws {
        var redactor = Redactor()
        for secret in secrets { redactor.declare(secret) }
        redactor.open(exchange: 1, sensitive: SensitivePaths(response: sensitive))
        var head = ResponseRecord(status: 200)
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            head.headers.append(name, value)
        }
        let contents: [FrameContent] =
            [.response(head)] + pieces.map { .responseBody($0) } + [.end(EndRecord(how: .complete))]
        originalSizes = pieces.map(\.count)
        for content in contents {
            let number = UInt64(all.count)
            all += redactor.redact(content, exchange: 1, time: 0, frame: number)
        }
        for index in all.indices { all[index].number = UInt64(index) }
        try read()
    }

    private mutating func read() throws {
        var restored = all
        for frame in all {
            switch try frame.content() {
            case .masked(let record):
                map.add(record)
                provisional += record.provisional == true ? 1 : 0
            case .reveal(let record):
                map.reveal(record)
                restored[Int(record.frame)].restore(record)
                reveals += 1
            default: break
            }
        }
        frames = restored.filter { $0.kind == .responseBody || $0.kind == .decodedBody }
    }

    var sizes: [Int] { frames.map(\.payload.count) }

    /// The stored body, revealed bytes restored.
    var text: String { String(decoding: frames.flatMap(\.payload), as: UTF8.self) }

    /// Whether no 8 bytes in a row of `secret` are in any frame as it is stored.
    func hidesPieces(of secret: String) -> Bool {
        let bodies = all.filter { $0.kind == .responseBody || $0.kind == .decodedBody }
        let stored = [bodies.flatMap(\.payload)] + all.map(\.payload)
        return stored.allSatisfy { !$0.contains(pieceOf: secret) }
    }
}

extension [UInt8] {
    /// Whether any 8 bytes in a row of `secret` are in these bytes.
    func contains(pieceOf secret: String) -> Bool {
        !Set(Array(secret.utf8).windows).isDisjoint(with: windows)
    }

    /// Every 8 bytes in a row, as a number.
    private var windows: [UInt64] {
        var window: UInt64 = 0
        return enumerated().compactMap { index, byte in
            window = window << 8 | UInt64(byte)
            return index < 7 ? nil : window
        }
    }
}
