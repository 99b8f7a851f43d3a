import RepriseWire
import Testing

struct SSEDecoderTests {
    @Test(arguments: SSECase.all)
    func reads(_ example: SSECase) {
        #expect(SSECase.read([example.stream]) == example.expected)
    }

    @Test(arguments: SSECase.all)
    func readsTheSameAtEverySplit(_ example: SSECase) {
        let whole = items([example.stream])
        for split in 0...example.stream.count {
            let pieces = [Array(example.stream[..<split]), Array(example.stream[split...])]
            #expect(items(pieces) == whole, "split at \(split)")
        }
        #expect(items(example.stream.map { [$0] }) == whole, "byte by byte")
    }

    /// The standard's text may be cut anywhere: what is whole before the cut is read as before.
    @Test(arguments: SSECase.all)
    func aCutChangesNothingBeforeIt(_ example: SSECase) {
        let whole = events(items([example.stream]))
        for length in 0...example.stream.count {
            let cut = events(items([Array(example.stream[..<length])]))
            #expect(cut == whole.filter { $0.end <= length }, "cut at \(length)")
        }
    }

    @Test func givesAnEventWhenItsBlankLineEnds() {
        var decoder = SSEDecoder()
        #expect(decoder.push(Array("data: a\r\n".utf8)).isEmpty)
        let items = decoder.push([0x0D])
        #expect(events(items).map(\.data) == ["a"])
        #expect(decoder.push([0x0A]).isEmpty)
        #expect(decoder.finish().isEmpty)
        #expect(decoder.count == 11)
    }

    @Test func keepsTheIDOfAnEventWithoutData() {
        var decoder = SSEDecoder()
        _ = decoder.push(Array("id: 1\n\nid: 2\n".utf8))
        #expect(decoder.lastEventID == "1")
        _ = decoder.push(Array("\n".utf8))
        #expect(decoder.lastEventID == "2")
    }

    @Test func tellsWhereADataByteStood() throws {
        let stream = Array("\u{feff}: c\r\nevent: x\r\ndata: ab\r\ndata:cd\r\ndata\r\n\r\n".utf8)
        let event = try #require(events(items([stream])).first)
        #expect(event.data == "ab\ncd\n")
        #expect((event.start, event.end) == (8, 44))
        for (index, byte) in event.dataBytes.enumerated() where byte != 0x0A {
            #expect(stream[event.offset(ofDataByte: index)] == byte)
        }
        #expect(stream[event.offset(ofDataByte: 2)] == 0x0D)
        #expect(stream[event.offset(ofDataByte: 5)] == 0x0D)
        #expect(stream[event.offset(ofDataByte: 6)] == 0x0D)
    }

    @Test(arguments: [1, 5, 64])
    func dropsWhatIsTooLarge(_ pieceSize: Int) {
        let long = String(repeating: "x", count: 100)
        let stream = Array(
            ("data: a\n\ndata: \(long)\nid: 7\n: gone\n\n: \(long)\ndata: b\n\n"
                + "data: 12345678\ndata: 12345678\ndata: 12345678\n\ndata: c\n\n").utf8)
        var decoder = SSEDecoder(sizeLimit: 30)
        var found: [SSEDecoder.Item] = []
        for start in stride(from: 0, to: stream.count, by: pieceSize) {
            found += decoder.push(Array(stream[start..<min(start + pieceSize, stream.count)]))
        }
        found += decoder.finish()
        #expect(events(found).map(\.data) == ["a", "c"])
        #expect(
            SSECase.texts(found).filter { $0.hasPrefix("!") } == [
                "!eventTooLarge 9 9", "!eventTooLarge 130 130", "!eventTooLarge 242 272",
            ])
    }

    private func items(_ pieces: [[UInt8]]) -> [SSEDecoder.Item] { SSECase.items(pieces) }

    private func events(_ items: [SSEDecoder.Item]) -> [SSEDecoder.Event] {
        items.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }
}
