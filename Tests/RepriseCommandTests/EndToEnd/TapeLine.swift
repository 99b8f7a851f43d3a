#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A line of a tape's JSONL form, read by a decoder that is not ours.
struct TapeLine: Decodable, Equatable {
    var kind: String
    var x: UInt64?
    var t: Int64?
    var call: UInt64?
    var text: String?
    var base64: String?
    var method: String?
    var url: String?
    var headers: [[String]]?
    var status: Int?
    var how: String?
    var proven: Bool?
    var unverified: Bool?

    /// The bytes of a binary kind.
    var bytes: [UInt8] {
        if let text { return Array(text.utf8) }
        return base64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
    }

    static func read(_ lines: [UInt8]) throws -> [TapeLine] {
        let decoder = JSONDecoder()
        return try lines.split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode(TapeLine.self, from: Data($0))
        }
    }
}

extension [TapeLine] {
    /// The bytes of all frames of a kind, in order.
    func bytes(_ kind: String) -> [UInt8] {
        filter { $0.kind == kind }.flatMap(\.bytes)
    }
}
