import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Masks of coded bodies that cannot be decoded, or not to their end.
@Suite struct MaskingUndecodedTests {
    private static let token = "tok-Abc/9876543210+xyz=="
    private static let body = "data: {\"x\":\"<\(token)>\"}\n\n"
    private static let parts = ["data: one\n\n", "data: two, which is longer\n\n", body]

    /// Each part as gzip: flushed, or a member of its own; the end of the coding by itself.
    private static func gzip(_ parts: [String], members: Bool = false) -> [[UInt8]] {
        var deflate = Deflate(.gzip)
        var coded = parts.map { part in
            var bytes: [UInt8] = []
            deflate.push(Array(part.utf8), flush: members ? .finish : .sync, into: &bytes)
            if members { deflate = Deflate(.gzip) }
            return bytes
        }
        var end: [UInt8] = []
        deflate.push([], flush: .finish, into: &end)
        if !members { coded.append(end) }
        return coded
    }

    private func run(
        _ pieces: [[UInt8]], coding: String = "gzip", secrets: [String] = [token],
        paths: [String] = []
    ) throws -> MaskedRun {
        try MaskedRun(
            pieces, headers: ["Content-Encoding": coding, "Content-Type": "text/event-stream"],
            secrets: secrets, sensitive: paths)
    }

    /// Nothing that a decoder can make of the stored bytes, from any place in them, holds a piece
    /// of the token.
    private func expectNothing(in run: MaskedRun, _ comment: Comment) {
        #expect(run.hidesPieces(of: Self.token), comment)
        let payloads = run.all.filter { $0.kind == .responseBody }.map(\.payload)
        for stored in payloads + [payloads.flatMap(\.self)] {
            for start in stored.indices {
                for format in [DeflateFormat.gzip, .zlib, .raw(windowBits: 15)] {
                    var position = start
                    var plain: [UInt8] = []
                    _ = try? Inflate(format).push(
                        stored, from: &position, into: &plain, outputLimit: 1 << 16)
                    let isThere = plain.contains(pieceOf: Self.token)
                    #expect(!isThere, comment)
                }
            }
        }
    }

    /// Filled with what no coding has there, from a byte of the first or second delivery on.
    @Test(arguments: [false, true], [UInt8(0xFF), 0x00, 0x2A])
    func nothingComesBackFromBehindDamage(members: Bool, filler: UInt8) throws {
        let coded = Self.gzip(Self.parts, members: members)
        for damaged in 0...1 {
            for start in coded[damaged].indices {
                var pieces = coded
                for index in pieces[damaged].indices[start...] { pieces[damaged][index] = filler }
                let run = try run(pieces)
                expectNothing(in: run, "\(damaged) from \(start)")
                #expect(run.frames.count == pieces.count)
            }
        }
    }

    /// In one delivery, and byte by byte: a whole member behind a damaged one.
    @Test(arguments: [1, 3, 1000])
    func aWholeMemberBehindDamage(size: Int) throws {
        let coded = Self.gzip(Self.parts, members: true)
        for (damage, name) in [
            (coded[1].map { _ in 0xFF }, "filled"), (Array(coded[1].dropLast()), "shorter"),
            (coded[1] + [0], "longer"), (Array(coded[1].dropFirst()), "without its first byte"),
            (coded[1].dropLast(8) + [0, 0, 0, 0, 0, 0, 0, 0], "another checksum"), ([0x0A], "text"),
        ] {
            let bytes = coded[0] + damage + coded[2]
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            expectNothing(in: try run(pieces), "\(name)")
            expectNothing(in: try run(Array(pieces.dropFirst())), "\(name), without its start")
        }
    }

    @Test func whatIsUndecodableIsMaskedWhole() throws {
        var coded = Self.gzip(["data: one\n\n", "data: two\n\n"])
        coded[1] = [0xFF, 0xFE, 0xFD, 0xFC]
        let run = try run(coded)
        // Up to the byte that is wrong nothing is lost: a reader fails at the same place.
        #expect(
            run.frames.map(\.payload)
                == [
                    coded[0], Array("\u{FF}***".unicodeScalars.map { UInt8($0.value) }),
                    coded[2].map { _ in UInt8(ascii: "*") },
                ])
        #expect(run.frames.allSatisfy { $0.kind == .responseBody })
        let masks = try run.all.masks()
        #expect(masks.map(\.rule) == ["undecodable", "undecodable"])
        #expect(masks.map(\.offset) == [1, 0])
        #expect(masks.map(\.length) == [3, coded[2].count])
        #expect(masks.allSatisfy { $0.secret == nil && $0.provisional == nil })
        #expect(try run.end().coding == nil)
    }

    @Test func withoutASecretNothingIsMasked() throws {
        var coded = Self.gzip(Self.parts)
        coded[1] = [0xFF, 0xFF, 0xFF, 0xFF]
        #expect(try run(coded, secrets: []).frames.map(\.payload) == coded)
        #expect(try run(coded, coding: "br", secrets: []).frames.map(\.payload) == coded)
        // What a client declares may be a secret that nobody has seen yet.
        let declared = try run(coded, secrets: [], paths: ["auth"])
        #expect(try declared.all.masks().map(\.length) == [3] + coded[2...].map(\.count))
    }

    @Test func behindASecretTheEndTellsWhatIsWrong() throws {
        var coded = Self.gzip([Self.body, "data: two\n\n"])
        coded[1] = [0xFF, 0xFF, 0xFF, 0xFF]
        let run = try run(coded)
        #expect(run.frames.map(\.kind) == [.decodedBody, .decodedBody, .responseBody])
        #expect(run.frames[2].payload == coded[2].map { _ in UInt8(ascii: "*") })
        let fault = try #require(try run.end().coding)
        #expect(fault.kind == .corrupt && fault.coding == "gzip")
        #expect(fault.offset == Self.body.utf8.count)
        #expect(!fault.detail.isEmpty)
    }

    @Test func aTruncatedBodyThatIsStoredDecoded() throws {
        let fault = try run(Self.gzip([Self.body]).dropLast()).end().coding
        #expect(fault?.kind == .truncated)
        #expect(fault?.offset == Self.body.utf8.count)
        #expect(try run(Self.gzip([Self.body])).end().coding == nil)
        // A body that is verbatim tells by itself.
        #expect(try run(Self.gzip(["data: one\n\n"]).dropLast()).end().coding == nil)
    }

    @Test func textBehindTheEndIsSearched() throws {
        let coded = Self.gzip(["data: one\n\n"], members: true)
        let tail = Array("trailing ü <\(Self.token)>\r\n".utf8)
        for cut in 0...tail.count {
            let run = try run(coded + [Array(tail[..<cut]), Array(tail[cut...])])
            #expect(run.hidesPieces(of: Self.token))
            #expect(run.frames.map(\.payload.count) == [coded[0].count, cut, tail.count - cut])
            #expect(run.frames[1].payload.starts(with: tail.prefix(min(cut, 13))))
        }
    }

    @Test func trailingBytesBehindASecret() throws {
        let run = try run(Self.gzip([Self.body], members: true) + [Array("more".utf8)])
        #expect(try run.end().coding?.kind == .trailingBytes)
        #expect(run.frames.map(\.kind) == [.decodedBody, .decodedBody])
    }

    @Test(arguments: ["br", "zstd", "gzip, br"])
    func codingsThatAreNotKnown(coding: String) throws {
        let text = Array(Self.body.utf8)
        let plain = try run([text, Array("data: more\n\n".utf8)], coding: coding)
        #expect(plain.hidesPieces(of: Self.token))
        #expect(plain.text.hasSuffix("data: more\n\n"))
        let binary = try run([Array("ok".utf8), [0x00, 0x41], text], coding: coding)
        #expect(
            binary.frames.map(\.payload)
                == [Array("ok".utf8), Array("**".utf8), text.map { _ in UInt8(ascii: "*") }])
    }

    /// A file's name in a gzip header is no content, and yet there to be read.
    @Test func aHeaderMayHoldTheToken() throws {
        var coded = Self.gzip(["data: one\n\n"], members: true)[0]
        coded[3] = 8
        coded.insert(contentsOf: Array(Self.token.utf8) + [0], at: 10)
        let run = try run([coded])
        expectNothing(in: run, "name")
        #expect(run.text == "data: one\n\n")
    }

    @Test func severalCodings() throws {
        var outer: [UInt8] = []
        let zlib = Deflate(.zlib)
        zlib.push(Self.gzip(["data: one\n\n"]).flatMap(\.self), flush: .sync, into: &outer)
        let run = try run([outer, [0xFF, 0xFF], [1, 2]], coding: "gzip, deflate")
        #expect(run.frames.map(\.kind) == [.responseBody, .decodedBody, .responseBody])
        #expect(run.frames[2].payload == Array("**".utf8))
        #expect(try run.end().coding?.kind == .corrupt)
    }

    @Test(arguments: [nil, "known-secret-1"])
    func aCodedRequest(secret: String?) throws {
        let coded = Self.gzip([Self.body]).flatMap(\.self)
        for cut in 0...coded.count {
            var redactor = Redactor()
            if let secret { redactor.declare(secret) }
            let head = RequestRecord(
                method: "POST", url: "https://h/", headers: ["Content-Encoding": "gzip"])
            let contents: [FrameContent] = [
                .request(head), .requestBody(Array(coded[..<cut])),
                .requestBody(Array(coded[cut...])), .requestEnd,
            ]
            let frames = contents.flatMap {
                redactor.redact($0, exchange: 1, time: 0, frame: 1)
            }
            let stored = frames.filter { $0.kind == .requestBody }.flatMap(\.payload)
            #expect(stored == (secret == nil ? coded : coded.map { _ in UInt8(ascii: "*") }))
        }
    }
}

extension MaskedRun {
    fileprivate func end() throws -> EndRecord {
        guard case .end(let record)? = try all.last?.content() else {
            throw TapeError(.badFrame, "an end was expected")
        }
        return record
    }
}
