#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a stream of AGO's has said so far, read in the plainest way there is.
struct Said {
    private struct Chunk: Decodable {
        var content: String?
    }

    private(set) var content = ""
    private var rest: [UInt8] = []

    /// Takes in bytes after content decoding.
    mutating func take(_ bytes: [UInt8]) {
        rest += bytes
        while let end = Self.eventEnd(rest) {
            let event = rest[..<end].drop { $0 == UInt8(ascii: "\n") }
            if event.starts(with: Array("data: {".utf8)) {
                let chunk = try? JSONDecoder().decode(Chunk.self, from: Data(event.dropFirst(6)))
                content += chunk?.content ?? ""
            }
            rest.removeFirst(end)
        }
    }

    /// The offset behind the empty line that ends the first event.
    private static func eventEnd(_ bytes: [UInt8]) -> Int? {
        let end = UInt8(ascii: "\n")
        return bytes.indices.dropLast().first { bytes[$0] == end && bytes[$0 + 1] == end }
            .map { $0 + 2 }
    }
}
