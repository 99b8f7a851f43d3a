import TestSupport
import Testing

@Suite("Stand-ins for the tests")
struct StandInTests {
    private static let client = """
        import sys, urllib.request
        request = urllib.request.Request(sys.argv[1], headers={
            "Origin": "https://app.example.com", "X-User-Anon-Id": "someone"})
        try:
            print(urllib.request.urlopen(request).read().decode(), end="")
        except urllib.error.HTTPError as error:
            print(error.code)
        """

    @Test("One answers, obeys, logs what crosses its socket, and ends with its value")
    func life() async throws {
        let folder = try TemporaryFolder()
        var peer: Peer? = try await Peer.start("ago", "--pace", "0")
        let url = try #require(peer).agoURL + "/conversations"
        var fetch = Command(try Workspace.python, ["-c", Self.client, url])
        fetch.folder = folder.path
        #expect(try await fetch.run().text == "[]")
        try await peer?.tell("next status=429")
        #expect(try await fetch.run().text == "429\n")

        let log = try #require(peer).readLog()
        #expect(log.pieces(of: 1).flatMap(\.data) == Array("[]".utf8))
        #expect(
            log.received(on: 1).starts(
                with: Array("GET /api/sdk/v1/conversations HTTP/1.1\r\n".utf8)))
        #expect(log.sent(on: 1).suffix(6).elementsEqual("\r\n\r\n[]".utf8))
        peer = nil
        let refused = try await fetch.run()
        #expect(refused.status == 1)
        #expect(refused.errorText.contains("Connection refused"))
    }

    @Test("A program that takes too long is ended")
    func timeout() async throws {
        var sleep = Command(try Workspace.python, ["-c", "import time; time.sleep(60)"])
        sleep.timeout = 0.2
        await #expect(throws: TestSupportError.self) { try await sleep.run() }
        sleep.timeout = 10
        sleep.kill = .after(100_000_000)
        #expect(try await sleep.run().ending == .signalled(9))
    }

    @Test("A program gets its input and no more of the environment than it should")
    func input() async throws {
        var read = Command(
            try Workspace.python,
            ["-c", "import os, sys; print(len(sys.stdin.read()), os.environ.get('LANG'))"])
        read.input = [UInt8](repeating: 65, count: 300_000)
        #expect(try await read.run().text == "300000 None\n")
    }
}
