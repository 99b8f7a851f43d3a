/// Joins the pieces of one text that were sent as JSON strings, where a surrogate pair may have
/// been split: its first half at the end of one string, its second at the start of the next.
public struct SurrogateJoiner: Sendable, Hashable {
    /// What one string adds to the text.
    public struct Piece: Sendable, Hashable {
        /// The text, with U+FFFD for each surrogate without partner.
        public var text: String
        /// How many surrogates are known now to have no partner.
        public var unpaired: Int
    }

    /// A first half that waits for its second.
    private var high: UInt16?

    /// A joiner at the start of a text.
    public init() {}

    /// Takes the next string with the lone surrogates in it, in order; a first half at its end is
    /// held back until the next string that is not empty.
    public mutating func push(_ string: String, _ surrogates: [JSON.LoneSurrogate]) -> Piece {
        if string.isEmpty { return Piece(text: "", unpaired: 0) }
        var piece = Piece(text: "", unpaired: surrogates.count)
        var rest = Substring(string).unicodeScalars
        if let high {
            self.high = nil
            if let low = surrogates.first, low.isAtStart, low.unit >= 0xDC00,
                let whole = SurrogateJoiner.join(high, low.unit)
            {
                piece.text.unicodeScalars.append(whole)
                piece.unpaired -= 1
                rest.removeFirst()
            } else {
                piece.text = "\u{FFFD}"
                piece.unpaired += 1
            }
        }
        if let last = surrogates.last, last.isAtEnd, last.unit < 0xDC00 {
            high = last.unit
            piece.unpaired -= 1
            rest.removeLast()
        }
        piece.text.unicodeScalars.append(contentsOf: rest)
        return piece
    }

    /// Says that no string follows.
    public mutating func finish() -> Piece {
        defer { high = nil }
        return high == nil ? Piece(text: "", unpaired: 0) : Piece(text: "\u{FFFD}", unpaired: 1)
    }

    private static func join(_ high: UInt16, _ low: UInt16) -> Unicode.Scalar? {
        Unicode.Scalar(0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF)))
    }
}

extension JSON.Document {
    /// The lone surrogates of the string at `path`, in order.
    public func loneSurrogates(at path: JSONPath) -> [JSON.LoneSurrogate] {
        if remarks.isEmpty { return [] }
        return remarks.compactMap { remark in
            guard case .loneSurrogate(let surrogate) = remark.kind else { return nil }
            return remark.path == path && !surrogate.isInKey ? surrogate : nil
        }
    }
}
