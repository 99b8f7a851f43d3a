import RepriseCurl
import RepriseTransport
import RepriseWire
import TestSupport

/// The scripted raw server of `Tests/Peers`, and what an exchange with it came to.
struct RawPeer {
    let peer: Peer
    let scheme: String

    static func start() async throws -> RawPeer {
        RawPeer(peer: try await Peer.start("raw_http.py"), scheme: "http")
    }

    static func start(certificate: String, key: String) async throws -> RawPeer {
        let peer = try await Peer.start("raw_http.py", "--cert", certificate, "--key", key)
        return RawPeer(peer: peer, scheme: "https")
    }

    /// One for all tests that need no log: each takes a path of its own.
    static func shared() async throws -> RawPeer { try await common.value }

    private static let common = Task { try await RawPeer.start() }

    var place: String { "127.0.0.1:\(peer.port)" }

    func url(_ path: String = "/") -> String { "\(scheme)://\(place)\(path)" }

    /// What to do for requests to `path`.
    func script(_ steps: [Step], at path: String = "/") async throws {
        let script: JSON = ["path": .string(path), "steps": .array(steps.map(\.json))]
        try await peer.tell("script \(script.serialized)")
    }

    /// Lets a request to `path` pass one `wait`.
    func go(_ path: String = "/") async throws { try await peer.tell("go \(path)") }

    /// What to do for the first, second, … request to `path`.
    func script(each scripts: [[Step]], at path: String = "/") async throws {
        let steps = JSON.array(scripts.map { .array($0.map(\.json)) })
        let script: JSON = ["path": .string(path), "steps": steps]
        try await peer.tell("script \(script.serialized)")
    }
}

/// A step of the raw server.
enum Step: Sendable {
    case send(String)
    case bytes([UInt8])
    case repeated(String, times: Int)
    /// Until the test says `go`.
    case wait
    /// Closes in order; over TLS with a closure alert.
    case fin
    /// Closes the socket without a closure alert.
    case cut
    case reset
    /// Until the client is gone.
    case hang
    /// HTTP chunks of that size, as fast as they go.
    case flood(chunks: Int, size: Int)
    /// Binary frames of a WebSocket, of 126 to 65,535 bytes, as fast as they go.
    case frames(count: Int, size: Int)
    /// HTTP chunks, one each so many milliseconds.
    case drip(chunks: Int, milliseconds: Int)

    var json: JSON {
        switch self {
        case .send(let text): ["send": .string(text)]
        case .bytes(let bytes): ["bytes": .array(bytes.map { .integer($0) })]
        case .repeated(let text, let times):
            ["send": .string(text), "times": .integer(times)]
        case .wait: ["wait": true]
        case .fin: ["fin": true]
        case .cut: ["cut": true]
        case .reset: ["rst": true]
        case .hang: ["hang": true]
        case .flood(let chunks, let size): ["flood": [.integer(chunks), .integer(size)]]
        case .frames(let count, let size): ["frames": [.integer(count), .integer(size)]]
        case .drip(let chunks, let pause): ["drip": [.integer(chunks), .integer(pause)]]
        }
    }
}
