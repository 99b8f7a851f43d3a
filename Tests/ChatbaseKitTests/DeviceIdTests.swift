import ChatbaseKit
import Foundation
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// The installation's device id.
@Suite struct DeviceIdTests {
    private func client(_ file: String) -> ChatbaseClient {

        ChatbaseClient(
            agentId: "ag", baseURL: Scene.base, transport: Deaf(),
            options: ChatbaseOptions(
                deviceId: .installation(InstallationIdFile(path: file)), retry: .never))
    }

    /// A transport without a network.
    private struct Deaf: Transport {
        let context = SessionContext.live

        func send(
            _ request: Request, observer: (any ExchangeObserver)?
        ) async throws(TransportError) -> Response {
            throw TransportError(how: .failed, .connect, "there is no network")
        }
    }

    @Test func isDrawnOnceAndKept() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("data/device")
        let first = client(path).deviceId
        #expect(UUID(uuidString: first) != nil)
        #expect(client(path).deviceId == first)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func saysWhyItCannotBeKept() async throws {
        let client = client("/dev/null/device")
        #expect(client.deviceId == "")
        let error = await #expect(throws: ChatError.self) { try await client.send("Hi") }
        #expect(error?.errorCode == "chatbase.deviceIdUnavailable")
        #expect(error?.message.contains("Not a directory") == true)
        #expect(error?.message.contains("/dev/null") == false)
    }

    /// A replay draws what was drawn, and touches no file.
    @Test func comesFromTheTape() async throws {
        var scene = Scene()
        scene.add("entropy", ["call": 0, "purpose": "deviceId", "ordinal": 0, "value": "d-1"])
        scene.stream(Part.hi, Part.start, Part.finish())
        let options = ChatbaseOptions(
            deviceId: .installation(InstallationIdFile(path: "/dev/null/device")))
        let stage = try scene.play(options: options)
        #expect(stage.client.deviceId == "d-1")
        try await stage.send()
        #expect(stage.isPlayed)
        #expect(stage.transport.entropy.missing.isEmpty)
    }
}
