import RepriseServer
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A recording of one request for `/x`, written by hand and served while a client meets it.
struct Serving {
    let server: ReplayServer
    let misses: Locked<[String]>

    var port: String { String(server.url.split(separator: ":").last ?? "") }

    /// Serves what stands behind the head of the request.
    static func start(
        _ lines: [String], count: Int = 1, method: String = "GET", pace: Pace = .instant,
        cuts: Cuts = .asRecorded, faults: [Fault] = []
    ) throws -> Serving {
        let head = #"""
            {"kind":"session","t":0,"version":1,"session":"00000000000000aa","wall":"2026-11-30T06:06:00.000000000Z","recorder":"reprise/0.1.0"}
            """#
        var text = head + "\n"
        for number in 1...count {
            let request =
                #""transport":"http","method":"\#(method)","url":"http://a.example/x","headers":[]"#
            text += #"{"kind":"request","x":\#(number),"t":1000,\#(request)}"# + "\n"
            text += #"{"kind":"requestEnd","x":\#(number),"t":1000}"# + "\n"
            text += lines.map { #"{"x":\#(number),"# + $0.dropFirst() + "\n" }.joined()
        }
        return try start(
            Recording(bytes: Array(text.utf8)), pace: pace, cuts: cuts, faults: faults)
    }

    static func start(
        _ recording: Recording, pace: Pace = .instant, cuts: Cuts = .asRecorded,
        faults: [Fault] = [], matching: RequestMatching = .flexible
    ) throws -> Serving {
        let misses = Locked<[String]>([])
        let address = try #require(ListenAddress("127.0.0.1:0"))
        let server = try ReplayServer(
            [(name: "t", recording: recording)], pace: pace, listen: address, cuts: cuts,
            faults: faults, matching: matching
        ) { event in
            if case .miss(let miss) = event { misses.withLock { $0.append(miss.message) } }
        }
        return Serving(server: server, misses: misses)
    }

    static func response(
        _ headers: String, status: Int = 200, at time: Int = 1000, more: String = ""
    ) -> String {
        #"{"kind":"response","t":\#(time),"status":\#(status),"version":"1.1",\#(more)"headers":[\#(headers)]}"#
    }

    static func body(_ text: String, at time: Int = 1000) -> String {
        #"{"kind":"responseBody","t":\#(time),"text":"\#(text)"}"#
    }

    static func end(
        _ how: String = "complete", at time: Int = 2000, more: String = ""
    ) -> String {
        #"{"kind":"end","t":\#(time),"how":"\#(how)"\#(more)}"#
    }
}

/// What a client of `serve_clients.py` saw.
struct Seen: Decodable {
    var status: Int?
    var headers: [[String]]?
    var error: String?
    var end: Double?
    var times: [Double]
    private var pieces: [String]

    /// The pieces that came, one for each chunk or read.
    var cuts: [[UInt8]] { pieces.map { Data(base64Encoded: $0).map(Array.init) ?? [] } }
    var text: String { String(decoding: cuts.joined(), as: UTF8.self) }

    /// When the piece came that completed `mark`, in milliseconds since the request.
    func time(of mark: String) -> Double? {
        var text = ""
        for (cut, time) in zip(cuts, times) {
            text += String(decoding: cut, as: UTF8.self)
            if text.contains(mark) { return time }
        }
        return nil
    }

    static func client(
        _ arguments: String..., input: String = ""
    ) async throws -> Seen {
        try JSONDecoder().decode(Seen.self, from: try await output(arguments, input: input))
    }

    static func output(_ arguments: [String], input: String = "") async throws -> Data {
        let script = "\(Workspace.root)/Tests/Peers/serve_clients.py"
        var command = Command(try Workspace.python, [script] + arguments)
        command.input = Array(input.utf8)
        command.timeout = 60
        let result = try await command.run()
        #expect(result.status == 0, "\(result.errorText)")
        return Data(result.output)
    }
}
