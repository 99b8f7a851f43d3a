#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a peer says it received and sent.
package struct PeerLog: Sendable {
    /// One line of the log; fields as `Tests/Peers/README.md` tells.
    package struct Entry: Sendable, Decodable {
        package var event: String
        /// Nanoseconds of the system's monotonic clock.
        package var time: Int64
        package var connection: Int?
        package var request: Int?
        package var index: Int?
        package var method: String?
        package var target: String?
        package var status: Int?
        package var headers: [[String]]?
        package var how: String?
        package var bytes: Int?
        /// Of a frame: `client` or `server`, its opcode, whether it is the last of its message, and
        /// its reserved bits as a number.
        package var by: String?
        package var opcode: Int?
        package var fin: Bool?
        package var rsv: Int?
        /// Of an upgrade: the extensions that were agreed to.
        package var agreed: String?
        private var base64: String?

        /// The bytes of the entry.
        package var data: [UInt8] {
            base64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
        }

        private enum CodingKeys: String, CodingKey {
            case event, connection, request, index, method, target, status, headers, how, bytes
            case by, opcode, fin, rsv, agreed, base64
            case time = "t_ns"
        }
    }

    package let entries: [Entry]

    /// Body pieces of the answer to request `number` (from 1), in order, each with the time just
    /// before it was sent.
    package func pieces(of number: Int) -> [Entry] {
        entries.filter { $0.event == "piece" && $0.request == number }
    }

    /// The same pieces before content coding; a fault may make them more or fewer.
    package func said(to number: Int) -> [[UInt8]] {
        entries.filter { $0.event == "said" && $0.request == number }.map(\.data)
    }

    /// The frames of the WebSocket on connection `number` (from 1) as they crossed the wire, but for
    /// the mask.
    package func frames(on number: Int) -> [Entry] {
        entries.filter { $0.event == "frame" && $0.connection == number }
    }

    /// The numbers of the connections that became WebSockets, in order.
    package var sockets: [Int] {
        entries.filter { $0.event == "upgrade" && $0.status == 101 }.compactMap(\.connection)
    }

    /// All bytes that came in over connection `number` (from 1).
    package func received(on number: Int) -> [UInt8] {
        entries.filter { $0.event == "received" && $0.connection == number }.flatMap(\.data)
    }

    /// All bytes that went out over connection `number` (from 1).
    package func sent(on number: Int) -> [UInt8] {
        entries.filter { $0.event == "sent" && $0.connection == number }.flatMap(\.data)
    }
}

extension Peer {
    /// Reads the log as it is now.
    package func readLog() throws -> PeerLog {
        let text = try Data(contentsOf: URL(fileURLWithPath: log))
        let lines = text.split(separator: UInt8(ascii: "\n"))
        let decoder = JSONDecoder()
        return PeerLog(entries: try lines.map { try decoder.decode(PeerLog.Entry.self, from: $0) })
    }
}
