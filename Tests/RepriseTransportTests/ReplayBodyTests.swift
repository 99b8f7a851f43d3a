import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct ReplayBodyTests {
    static let parts = ["data: one", "\n\n", "data: two\n\n"].map { Array($0.utf8) }

    @Test func aCodedBodyComesAsItWas() async throws {
        let coded = coded(Self.parts)
        let response = try await response(coded.map { (true, $0) })
        let (deliveries, error) = await read(response.body)
        #expect(deliveries.map(\.bytes) == coded)
        #expect(error == nil)
    }

    /// Kept coded up to a secret, decoded from there on: the app gets one coded stream.
    @Test(arguments: 0...3)
    func aDecodedBodyIsCodedAgainWithItsCuts(kept: Int) async throws {
        let coded = coded(Self.parts)
        let frames = (0..<3).map { ($0 < kept, $0 < kept ? coded[$0] : Self.parts[$0]) }
        let raw = await read(try await response(frames).body)
        #expect(raw.deliveries.allSatisfy { !$0.isDecoded })
        #expect(raw.deliveries.map(\.time) == [20, 21, 22])
        var chunks: [[UInt8]] = []
        for try await chunk in try await response(frames).decoded { chunks.append(chunk.bytes) }
        #expect(chunks == Self.parts)
    }

    @Test func aDecodedBodyOfAStreamThatDiedStaysUnfinished() async throws {
        let frames = Self.parts.map { (false, $0) }
        var bytes: [UInt8] = []
        let error = await #expect(throws: TransportError.self) {
            for try await chunk in try await response(frames, end: #""how":"reset""#).decoded {
                bytes += chunk.bytes
            }
        }
        #expect(error?.how == .reset)
        #expect(bytes == Array(Self.parts.joined()))
    }

    /// What the end says of the coding, and with what the app's decoder fails then.
    @Test(
        arguments: [
            ("truncated", "gzip data ends too early, after 22 decoded bytes"),
            ("corrupt", "gzip data is corrupt after 22 decoded bytes"),
            ("outputLimit", "gzip data is corrupt after 22 decoded bytes"),
            ("trailingBytes", nil),
        ] as [(String, String?)], [0, 1])
    func aDamagedCodingIsDamagedAgain(row: (fault: String, message: String?), kept: Int)
        async throws
    {
        let coded = coded(Self.parts)
        let stars = Array("****".utf8)
        let frames =
            Self.parts.indices.map { ($0 < kept, $0 < kept ? coded[$0] : Self.parts[$0]) }
            + (row.fault == "truncated" ? [] : [(true, stars)])
        let end =
            #""how":"complete","coding":{"fault":"\#(row.fault)","name":"gzip","offset":22}"#
        var chunks: [[UInt8]] = []
        var failure: TransportError?
        do {
            for try await chunk in try await response(frames, end: end).decoded {
                chunks.append(chunk.bytes)
            }
        } catch let error as TransportError {
            failure = error
        }
        #expect(chunks == Self.parts)
        #expect(failure?.code == row.message.map { _ in .contentCoding })
        if let message = row.message { #expect(failure?.message.contains(message) == true) }
        let raw = await read(try await response(frames, end: end).body)
        #expect(raw.deliveries.count == frames.count)
    }

    @Test(arguments: ["br", ""])
    func aBodyOfAnotherCodingStaysDecoded(coding: String) async throws {
        let response = try await response([(false, Self.parts[0])], coding: coding)
        let (deliveries, _) = await read(response.body)
        #expect(
            deliveries == [Delivery(bytes: Self.parts[0], time: 20, isDecoded: true)])
    }

    private func response(
        _ frames: [(isCoded: Bool, bytes: [UInt8])], coding: String = "gzip",
        end: String = #""how":"complete""#
    ) async throws -> Response {
        let lines = frames.enumerated().map { index, frame in
            let kind = frame.isCoded ? "responseBody" : "decodedBody"
            let text = Data(frame.bytes).base64EncodedString()
            return #"{"kind":"\#(kind)","x":1,"t":\#(20 + index),"base64":"\#(text)"}"#
        }
        let header = coding.isEmpty ? "" : #"["Content-Encoding","\#(coding)"]"#
        let recording = try recording(
            exchange(
                responseHeaders: header, events: lines.joined(separator: "\n"), end: end))
        return try await ReplayTransport(recording: recording).send(get())
    }
}
