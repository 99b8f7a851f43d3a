#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a stand-in says that one of its wishes breaks; its folder's `cases.py` tells more.
package struct PeerCase: Sendable, Decodable {
    /// What a message asks for.
    package var wishes: String
    /// The rules that are broken then, and no other: a vendor's by number, without the letter of
    /// the part.
    package var rules: [String]
    /// How the socket ends: as on a tape.
    package var end: String
    /// What is wrong with it.
    package var code: String?
    /// What the socket is asked for: the path of its URL.
    package var socket: String

    package init(
        _ wishes: String, rules: [String] = [], end: String = "complete", code: String? = nil,
        socket: String = ""
    ) {
        self.wishes = wishes
        self.rules = rules
        self.end = end
        self.code = code
        self.socket = socket
    }

    /// All cases of the stand-in `name`.
    package static func all(of name: String) async throws -> [PeerCase] {
        let list = Command(
            try Workspace.python, ["\(Workspace.root)/Tests/Peers/\(name)", "--cases"])
        let decoder = JSONDecoder()
        return try await list.run().output.split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode(PeerCase.self, from: Data($0))
        }
    }
}
