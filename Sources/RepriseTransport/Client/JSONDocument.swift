package import RepriseWire

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A service's small JSON documents as values, and values as JSON for the journal.
package enum JSONDocument {
    /// Why bytes are not the document that was expected: where and what, without any content.
    package struct Failure: Error, Hashable {
        package let message: String
        /// Whether it is not JSON at all.
        package let isNotJSON: Bool
    }

    /// The value in `bytes`.
    ///
    /// - Parameter info: What the value's `init(from:)` finds in its decoder's user info.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], info: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(Failure) -> Value {
        do {
            let decoder = JSONDecoder()
            decoder.userInfo = info
            return try decoder.decode(type, from: Data(bytes))
        } catch {
            throw Failure(error)
        }
    }

    /// `value` in the form of the wire, members in order of their names; null where it has none.
    package static func json(_ value: some Encodable) -> JSON {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value), let document = try? JSON.parse(Array(data))
        else { return .null }
        return document.value
    }
}

extension JSONDocument.Failure {
    init(_ error: any Error) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            self.init("\(Self.text(context.codingPath + [key])) is missing")
        case DecodingError.valueNotFound(_, let context):
            self.init("\(Self.text(context.codingPath)) is null")
        case DecodingError.typeMismatch(_, let context):
            self.init("\(Self.text(context.codingPath)) has another type than declared")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init("\(Self.text(context.codingPath)) cannot be read")
        default:
            self.init(message: "it is not JSON", isNotJSON: true)
        }
    }

    private init(_ message: String) { self.init(message: message, isNotJSON: false) }

    /// `messages[3].agent.name`
    private static func text(_ path: [any CodingKey]) -> String {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return text.isEmpty ? "the document" : text
    }
}
