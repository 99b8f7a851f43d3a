/// Makes a ``JSON`` value of the tokens of one whole text.
struct JSONBuilder {
    /// An array or object that is open.
    struct Frame {
        let isObject: Bool
        var elements: [JSON] = []
        var members: [JSONObject.Member] = []
        var key = ""
        /// Keys so far, once there are too many to compare one by one.
        var keys: Set<String> = []
    }

    private let bytes: [UInt8]
    /// The innermost open array or object; nil outside of all.
    private var current: Frame?
    /// Those around it, outermost first.
    private var outer: [Frame] = []
    private var string = JSONStringBuilder()
    private var pending: [(unit: UInt16, offset: Int)] = []

    private(set) var value = JSON.null
    private(set) var remarks: [JSON.Remark] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func take(_ tokens: [JSONToken]) {
        for token in tokens { take(token) }
    }

    private mutating func take(_ token: JSONToken) {
        switch token.kind {
        case .beginObject: beginContainer(isObject: true)
        case .beginArray: beginContainer(isObject: false)
        case .endObject, .endArray: endContainer()
        case .beginKey, .beginString: string.reset()
        case .text: string.append(text: token.start..<token.end, of: bytes)
        case .escape: string.append(scalar: token.scalar, of: bytes)
        case .loneSurrogate:
            pending.append((UInt16(truncatingIfNeeded: token.scalar), token.start))
            string.append(scalar: token.scalar, of: bytes)
        case .endKey: endKey(token)
        case .endString:
            if !pending.isEmpty { remarkSurrogates(of: token, isKey: false, path: path) }
            add(.string(string.text(of: bytes)))
        case .beginNumber, .digits: break
        case .endNumber:
            add(.number(String(decoding: bytes[token.start..<token.end], as: UTF8.self)))
        case .true: add(.bool(true))
        case .false: add(.bool(false))
        case .null: add(.null)
        }
    }

    private mutating func beginContainer(isObject: Bool) {
        if let current { outer.append(current) }
        current = Frame(isObject: isObject)
        // Most objects have more than one member.
        if isObject { current?.members.reserveCapacity(4) }
    }

    private mutating func endContainer() {
        guard let frame = current else { return }
        current = outer.popLast()
        add(frame.isObject ? .object(JSONObject(frame.members)) : .array(frame.elements))
    }

    private mutating func add(_ new: JSON) {
        current?.add(new)
        if current == nil { value = new }
    }

    private mutating func endKey(_ token: JSONToken) {
        let key = string.text(of: bytes)
        let isDuplicate = current?.begin(key) ?? false
        if isDuplicate {
            remarks.append(
                JSON.Remark(kind: .duplicateKey(key), offset: token.start, path: path))
        }
        if !pending.isEmpty { remarkSurrogates(of: token, isKey: true, path: path) }
    }

    /// Where the next value will stand.
    private var path: JSONPath {
        JSONPath((outer + (current.map { [$0] } ?? [])).map(\.step))
    }

    private mutating func remarkSurrogates(of token: JSONToken, isKey: Bool, path: JSONPath) {
        for (unit, offset) in pending {
            let surrogate = JSON.LoneSurrogate(
                unit: unit, isInKey: isKey, isAtStart: offset == token.start + 1,
                isAtEnd: offset + 6 == token.end - 1)
            remarks.append(
                JSON.Remark(kind: .loneSurrogate(surrogate), offset: offset, path: path))
        }
        pending.removeAll()
    }
}

extension JSONBuilder.Frame {
    /// The step to the value that comes next.
    var step: JSONPath.Step { isObject ? .key(key) : .index(elements.count) }

    mutating func add(_ value: JSON) {
        if isObject {
            members.append(JSONObject.Member(key, value))
        } else {
            elements.append(value)
        }
    }

    /// Takes the key of the next member; true where it came before in this object.
    mutating func begin(_ key: String) -> Bool {
        self.key = key
        let few = 16
        if members.count < few { return members.contains { same($0.key, key) } }
        if members.count == few { keys = Set(members.map(\.key)) }
        // The set compares by canonical equivalence: what it finds is looked at again.
        if keys.insert(key).inserted { return false }
        return members.contains { same($0.key, key) }
    }

    private func same(_ one: String, _ other: String) -> Bool {
        one == other && one.utf8.elementsEqual(other.utf8)
    }
}
