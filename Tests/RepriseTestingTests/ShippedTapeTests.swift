import AgoKit
import ChatbaseKit
import CometChatKit
import RepriseSupport
import RepriseTape
import RepriseTesting
import RepriseTransport
import RepriseWire
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Each tape that ships, in a test: its clients do again what they did, as fast as they can.
@Suite struct ShippedTapeTests {
    static let names: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Recordings")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".tape") }.map { String($0.dropLast(5)) }.sorted()
    }()

    @Test func thereAreTapes() { #expect(Self.names.count >= 33) }

    @Test(arguments: names) func isPlayedInATest(name: String) async throws {
        // The recorder of this one was killed.
        let allowing: [TapeAllowance] = name == "ago-killed" ? [.damaged] : []
        let use = Weather.use(name, in: "../../Recordings", allowing: allowing)
        let issues = try await use.issues { tape in
            let seen = try await Play(tape).run()
            let recorded = tape.recording?.calls.map(Play.recorded) ?? []
            #expect(seen == recorded, "\(seen), recorded \(recorded)")
        }
        #expect(issues == [])
    }
}

/// The clients of a tape, which run its operations again: one behind another where it was so.
private struct Play {
    private static let kits: [any ClientReplayer.Type] = [
        AgoClientReplayer.self, ChatbaseReplayer.self, CometChatReplayer.self,
    ]

    private let recording: Recording
    private let clients: [any ClientReplayer]

    init(_ tape: Tape) throws {
        recording = try #require(tape.recording)
        clients = try recording.clients.map { client in
            let kit = try #require(Self.kits.first { $0.client == client.record.client })
            return try kit.init(config: client.record.config, transport: tape.transport)
        }
    }

    /// How an operation ended: its failure's code, or nothing.
    static func recorded(_ call: Recording.Call) -> String {
        switch call.outcome {
        case .error(let error): "\(call.op) \(error["code"]?.string ?? "")"
        case .result: call.op
        case nil: "\(call.op) ago.streamCut"
        }
    }

    /// Runs everything.
    ///
    /// - Returns: How each operation ended.
    func run() async throws -> [String] {
        var seen: [String] = []
        for call in recording.calls {
            let client = clients[Int(call.client ?? 1) - 1]
            do {
                try await client.perform(op: call.op, args: call.args)
                seen.append(call.op)
            } catch {
                seen.append("\(call.op) \(CallFailure(error).code)")
            }
        }
        return seen
    }
}
