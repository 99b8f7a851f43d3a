package import RepriseWire

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The members of a frame's JSON object, read with errors that name the kind and the field.
struct RecordFields {
    let kind: Frame.Kind
    let object: JSONObject

    func failure(_ key: String, _ expected: String) -> TapeError {
        TapeError(.badFrame, "\(kind.withArticle) frame needs \(key) as \(expected)")
    }

    /// The value of a key that may be left out; null counts as left out.
    func optional<T>(
        _ key: String, _ expected: @autoclosure () -> String, _ convert: (JSON) -> T?
    ) throws(TapeError) -> T? {
        guard let value = object[key], !value.isNull else { return nil }
        guard let converted = convert(value) else { throw failure(key, expected()) }
        return converted
    }

    func required<T>(
        _ key: String, _ expected: @autoclosure () -> String, _ convert: (JSON) -> T?
    ) throws(TapeError) -> T {
        guard let value = try optional(key, expected(), convert) else {
            throw TapeError(.badFrame, "\(kind.withArticle) frame needs \(key), which is missing")
        }
        return value
    }

    func string(_ key: String) throws(TapeError) -> String {
        try required(key, "a string", \.string)
    }

    func integer<T: FixedWidthInteger>(_ key: String) throws(TapeError) -> T {
        try required(key, "a whole number from \(T.min) to \(T.max)", { T.init(json: $0) })
    }

    func optionalString(_ key: String) throws(TapeError) -> String? {
        try optional(key, "a string", \.string)
    }

    func optionalInteger<T: FixedWidthInteger>(_ key: String) throws(TapeError) -> T? {
        try optional(key, "a whole number from \(T.min) to \(T.max)", { T.init(json: $0) })
    }

    func optionalBool(_ key: String) throws(TapeError) -> Bool? {
        try optional(key, "true or false", \.bool)
    }

    func wireText(_ key: String) throws(TapeError) -> WireText {
        try required(key, "a string or {\"base64\":…}", { WireText(json: $0) })
    }

    func optionalHeaders(_ key: String) throws(TapeError) -> Headers? {
        try optional(key, "an array of [name, value] pairs", { Headers(json: $0) })
    }
}

extension FixedWidthInteger {
    fileprivate init?(json: JSON) {
        guard case .number(let text) = json else { return nil }
        if let value = Self(text) {
            self = value
            return
        }
        guard let value = json.double.flatMap({ Self(exactly: $0) }) else { return nil }
        self = value
    }
}

extension WireText {
    /// A string where the bytes are UTF-8, else `{"base64":…}`.
    package var json: JSON {
        if let text = utf8 { return .string(text) }
        return ["base64": .string(Data(bytes).base64EncodedString())]
    }

    package init?(json: JSON) {
        if let text = json.string {
            self.init(text)
        } else if let text = json["base64"]?.string, let data = Data(base64Encoded: text) {
            self.init(bytes: Array(data))
        } else {
            return nil
        }
    }
}

extension Headers {
    /// An array of `[name, value]` pairs.
    package var json: JSON { .array(fields.map { .array([$0.name.json, $0.value.json]) }) }

    package init?(json: JSON) {
        guard let pairs = json.array else { return nil }
        var fields: [Field] = []
        for pair in pairs {
            guard let parts = pair.array, parts.count == 2,
                let name = WireText(json: parts[0]), let value = WireText(json: parts[1])
            else { return nil }
            fields.append(Field(name, value))
        }
        self.init(fields)
    }
}
