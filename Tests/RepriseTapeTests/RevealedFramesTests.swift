import RepriseTape
import Testing

@Suite struct RevealedFramesTests {
    static func revealed(_ contents: [FrameContent]) throws -> [RevealedFrames.Revealed] {
        let frames = contents.enumerated().map {
            Frame($1, exchange: 1, time: 0, number: UInt64($0))
        }
        let pass = RevealedFrames(try TapeReader(bytes: Samples.tape(frames)))
        var result: [RevealedFrames.Revealed] = []
        while let next = try pass.next() { result.append(next) }
        #expect(pass.summary.frames == UInt64(frames.count))
        return result
    }

    static func text(_ revealed: RevealedFrames.Revealed) -> String {
        guard case .frame(let frame) = revealed.item else { return "" }
        return String(decoding: frame.payload, as: UTF8.self)
    }

    static func masked(_ offset: Int, _ length: Int, isProvisional: Bool = true) -> FrameContent {
        .masked(
            MaskedRecord(
                frame: 0, offset: offset, length: length, rule: "known",
                secret: isProvisional ? nil : 1, provisional: isProvisional ? true : nil))
    }

    static func reveal(_ offset: Int, _ text: String) -> FrameContent {
        .reveal(RevealRecord(frame: 0, offset: offset, bytes: Array(text.utf8)))
    }

    static let body = FrameContent.responseBody(Array("abc***".utf8))
    static let end = FrameContent.end(EndRecord(how: .complete))

    @Test(
        arguments: [
            ([body, masked(3, 3), body, reveal(3, "def"), end], "abcdef", []),
            ([body, masked(3, 3), body, reveal(3, "d"), reveal(5, "f"), end], "abcd*f", [4..<5]),
            (
                [
                    body, masked(3, 3), body, masked(3, 2, isProvisional: false), reveal(5, "f"),
                    end,
                ],
                "abc**f", []
            ),
            ([body, masked(3, 3, isProvisional: false), end], "abc***", []),
            ([body, masked(3, 3), end, reveal(3, "def")], "abc***", [3..<6]),
            ([body, masked(3, 3)], "abc***", [3..<6]),
            ([body, end], "abc***", []),
            ([body, masked(4, 3), reveal(.max, "x"), reveal(6, "x"), end], "abc***", []),
        ] as [([FrameContent], String, [Range<Int>])])
    func aMaskThatWasNoneIsRestored(
        contents: [FrameContent], text: String, open: [Range<Int>]
    ) throws {
        let result = try Self.revealed(contents)
        #expect(result.count == contents.count)
        #expect(Self.text(result[0]) == text)
        #expect(result[0].open == open)
    }

    @Test func noMoreThanTheWindowIsHeld() throws {
        let filler = FrameContent.responseBody(Array(repeating: 65, count: 100 << 10))
        let contents =
            [Self.body, Self.masked(3, 3)] + Array(repeating: filler, count: 20)
            + [Self.reveal(3, "def"), Self.end]
        let result = try Self.revealed(contents)
        #expect(Self.text(result[0]) == "abc***")
        #expect(result[0].open == [3..<6])
        #expect(result.count == contents.count)
    }
}
