import RepriseProcess
import RepriseSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A running stand-in of `Tests/Peers`. It ends with this value, and with the tests however they
/// end: it reads its standard input, whose other end is here.
package final class Peer: Sendable {
    /// Where it listens, on 127.0.0.1.
    package let port: UInt16
    /// Where it serves WebSockets, if it does so on a port of their own; else the same.
    package let socketPort: UInt16
    /// The path of its log.
    package let log: String

    private let child: SpawnedProcess
    private let folder: TemporaryFolder
    /// Held from a line to its answer.
    private let gate = Locked(false)

    /// Starts the stand-in `name`, for instance `ago`; its log goes to a temporary folder.
    package static func start(_ name: String, _ arguments: String...) async throws -> Peer {
        try await start(name, arguments)
    }

    /// Starts the stand-in `name` with a list of arguments.
    package static func start(_ name: String, _ arguments: [String]) async throws -> Peer {
        try await blocking { try Peer(name, arguments) }
    }

    private init(_ name: String, _ arguments: [String]) throws {
        folder = try TemporaryFolder()
        log = folder.file("\(name).jsonl")
        child = try SpawnedProcess.forTests(
            try Workspace.python,
            ["\(Workspace.root)/Tests/Peers/\(name)", "--log", log] + arguments,
            environment: Command.inherited(["PYTHONDONTWRITEBYTECODE": "1"]))
        let line = Self.readLine(child.output)
        let ports = line.split(separator: " ").dropFirst().compactMap { UInt16($0) }
        guard line.hasPrefix("port "), let port = ports.first, let socketPort = ports.last else {
            let reason = child.errors.map(Self.readLine) ?? ""
            throw TestSupportError("the peer \(name) did not start: \(reason)")
        }
        self.port = port
        self.socketPort = socketPort
    }

    deinit {
        kill(child.pid, SIGKILL)
        _ = child.wait()
        close(child.input)
        close(child.output)
        if let errors = child.errors { close(errors) }
    }

    /// The base URL of an AGO stand-in.
    package var agoURL: String { "http://127.0.0.1:\(port)/api/sdk/v1" }

    /// The base URL of a Chatbase stand-in, as apps use it.
    package var chatbaseURL: String { "http://127.0.0.1:\(port)/api/sdk" }

    /// The base URL of a CometChat stand-in, and where its WebSockets are.
    package var cometChatURL: String { "http://127.0.0.1:\(port)/v3.0" }
    package var cometChatSocketURL: String { "ws://127.0.0.1:\(socketPort)" }

    /// Says a line to the peer, such as `next status=429`, and returns its answer.
    @discardableResult
    package func tell(_ line: String) async throws -> String {
        let (child, gate) = (child, gate)
        return try await blocking {
            try gate.withLock { _ in
                let bytes = Array("\(line)\n".utf8)
                let count = unsafe bytes.withUnsafeBytes {
                    unsafe write(child.input, $0.baseAddress, $0.count)
                }
                let answer = Self.readLine(child.output)
                guard count == bytes.count, answer == "ok" else {
                    throw TestSupportError("the peer answered “\(line)” with “\(answer)”")
                }
                return answer
            }
        }
    }

    private static func readLine(_ end: Int32) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(end, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}
