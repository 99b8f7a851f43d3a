import RepriseWire
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

    @Test("One speaks over WebSockets, deflated, and logs each frame")
    func sockets() async throws {
        let peer = try await Peer.start("cometchat", "--pace", "0")
        let client = Command(
            try Workspace.python,
            [
                "\(Workspace.root)/Tests/Peers/cometchat_client.py", "\(peer.port)",
                "\(peer.socketPort)", "And now? peer:tools=get_weather,cards=2,chunks=3",
            ])
        let lines = try await client.run().text.split(separator: "\n")
        let kinds = lines.compactMap { try? JSON.parse(Array($0.utf8)).value }.compactMap {
            ($0["frame"]?["body"]?["type"] ?? $0["frame"]?["type"])?.string
        }
        let args = Array(repeating: "tool_call_args", count: 7)
        let cards = ["card_start", "card", "card_end"]
        let words = Array(repeating: "text_message_content", count: 3)
        #expect(
            kinds == ["auth", "run_started", "tool_call_start"] + args
                + ["tool_call_end", "tool_call_result"] + cards + cards + ["text_message_start"]
                + words + ["text_message_end", "run_finished"]
                + ["tool-arguments", "tool-result", "assistant"])

        let log = try peer.readLog()
        let socket = try #require(log.sockets.first)
        #expect(log.sockets.count == 1)
        let frames = log.frames(on: socket).filter { $0.opcode == 1 }
        // The auth frame, the app's ping and its answer.
        #expect(frames.count == kinds.count + 3)
        #expect(frames.allSatisfy { $0.rsv == 4 && $0.fin == true })
    }

    @Test("What concerns a socket holds for one socket", arguments: ["next", "message"])
    func wishes(way: String) async throws {
        let peer = try await Peer.start("cometchat", "--pace", "0")
        if way == "next" {
            // The login comes before the message.
            try await peer.tell("next ")
            try await peer.tell("next deflate=off")
        }
        let words = ["Now?\(way == "message" ? " peer:deflate=off" : "")", "Now?", "Now?"]
        for word in words {
            let client = Command(
                try Workspace.python,
                [
                    "\(Workspace.root)/Tests/Peers/cometchat_client.py", "\(peer.port)",
                    "\(peer.socketPort)", word,
                ])
            #expect(try await client.run().status == 0)
        }
        let agreed = try peer.readLog().entries.compactMap(\.agreed)
        #expect(agreed.map(\.isEmpty) == [way == "next", way == "message", false])
    }

    @Test("What one is told to break over WebSockets is broken, and nothing else")
    func cases() async throws {
        let check = Command(
            try Workspace.python, ["\(Workspace.root)/Tests/Peers/cometchat_check.py"])
        let result = try await check.run()
        #expect(result.status == 0, "\(result.text)\(result.errorText)")
        #expect(result.text.hasSuffix(" cases are as they say\n"))
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
