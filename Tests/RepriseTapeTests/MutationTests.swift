import RepriseSupport
import RepriseTape
import Testing

/// Damage of all kinds at once, the same in every run.
@Suite struct MutationTests {
    /// A generator whose numbers depend on its seed alone.
    struct Random {
        private var state: UInt64

        init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

        mutating func below(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state >> 33) % max(bound, 1)
        }

        /// `bytes` with a few pieces flipped, removed, repeated, or moved.
        mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
            var result = bytes
            for _ in 0...below(4) {
                let start = below(result.count)
                let end = min(result.count, start + 1 + below(below(2) == 0 ? 4 : 300))
                let piece = Array(result[start..<end])
                switch below(5) {
                case 0:
                    for index in start..<end { result[index] = UInt8(below(256)) }
                case 1: result.removeSubrange(start..<end)
                case 2: result.insert(contentsOf: piece, at: below(result.count))
                case 3:
                    result.removeSubrange(start..<end)
                    result.insert(contentsOf: piece, at: below(result.count + 1))
                default:
                    if start < result.count { result[start] ^= 1 << below(8) }
                }
            }
            return result
        }
    }

    @Test func whatIsVerifiedIsAlwaysWhatWasWritten() throws {
        let bytes = try DamagedTapeTests.small()
        let frames = DamagedTapeTests.frames
        for seed in 0..<1500 {
            var random = Random(seed: seed)
            let mutated = random.mutated(bytes)
            guard mutated != bytes else { continue }
            do throws(TapeError) {
                let tape = try ReadTape(mutated, salvaging: seed % 2 == 0)
                if tape.damages.isEmpty { #expect(tape.frames == frames, "seed \(seed)") }
                var last: UInt64?
                for frame in tape.frames {
                    #expect(last.map { $0 < frame.number } != false, "seed \(seed)")
                    last = frame.number
                    guard frame.isVerified, frame != frames[Int(frame.number)] else { continue }
                    Issue.record("seed \(seed): frame \(frame.number) differs")
                }
            } catch {
                #expect(error.code == .notATape || error.code == .badLine, "seed \(seed)")
            }
        }
    }

    @Test func framesThatAreNoneAreRefused() throws {
        let header = MemberHeader(tape: TapeID(session: "x"), number: 0, firstFrame: 0, start: 0)
        let deflate = Deflate(.raw(windowBits: 15))
        for seed in 0..<1500 {
            var random = Random(seed: seed)
            let content = random.mutated(try gunzip(Samples.tape()).bytes)
            var bytes = header.bytes
            deflate.reset()
            deflate.push(content, flush: .finish, into: &bytes)
            bytes.appendLittleEndian(Checksum(of: content).value)
            bytes.appendLittleEndian(UInt32(content.count))
            let tape = try ReadTape(bytes, salvaging: true)
            for item in tape.items {
                // Whatever a frame holds can be read or refused, and comes back from a line.
                guard case .frame(let frame) = item else { continue }
                _ = try? frame.content()
                do throws(TapeError) {
                    let again = try ReadTape(item.jsonLine).frames.first
                    #expect(again?.payload == frame.payload, "seed \(seed)")
                } catch {
                    #expect(error.code == .unsupportedVersion, "seed \(seed): \(error)")
                }
            }
        }
    }

    /// The lines of bodies have a way of their own, which a blank bars.
    @Test(arguments: [
        #"{"kind":"responseBody","x":1,"t":110,"text":"data: {\"a\": \"é\u00e9\ud83d\ude00\"}\n"}"#,
        #"{"kind":"requestBody","x":18446744073709551615,"t":-5,"text":""}"#,
        #"{"kind":"decodedBody","x":0,"t":999999999999999999,"text":"\/\b\f\r\t"}"#,
    ])
    func linesOfBodiesAreReadAsOthersAre(line: String) throws {
        let line = Array(line.utf8)
        let bytes = Array("\"\\{},01u ".utf8) + [0x1F, 0xC3, 0xFF]
        var variants = [line] + line.indices.dropFirst().map { Array(line[..<$0]) }
        for index in line.indices.dropFirst() {
            for byte in bytes {
                var variant = line
                variant[index] = byte
                variants.append(variant)
            }
        }
        for variant in variants {
            let other = Array("{ ".utf8) + variant.dropFirst()
            #expect(
                (try? ReadTape(variant).items) == (try? ReadTape(other).items),
                "\(String(decoding: variant, as: UTF8.self))")
        }
        #expect(try ReadTape(line).items.count == 1)
    }

    @Test func linesAreReadOrRefused() throws {
        let lines = JSONLTests.lines(try ReadTape(Samples.tape()).items)
        for seed in 0..<1500 {
            var random = Random(seed: seed)
            let mutated = random.mutated(lines)
            do throws(TapeError) {
                let tape = try ReadTape(mutated)
                // A reader of lines knows of them what has to be looked for otherwise.
                let reader = try TapeReader(bytes: mutated)
                while let item = try reader.next() {
                    #expect(reader.line(of: item) == item.jsonLine, "seed \(seed)")
                }
                // What was read is written so that it reads the same.
                #expect(try ReadTape(JSONLTests.lines(tape.items)).items == tape.items)
            } catch {
                let codes: [TapeError.Code] = [.badLine, .notATape, .unsupportedVersion]
                #expect(codes.contains(error.code), "seed \(seed): \(error)")
            }
        }
    }
}
