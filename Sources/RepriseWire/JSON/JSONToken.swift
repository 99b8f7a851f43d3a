/// What a ``JSONTokenizer`` found, and where in the stream.
package struct JSONToken: Sendable, Hashable {
    /// What it is.
    ///
    /// A string is `beginString`, any number of `text`, `escape` and `loneSurrogate`, then
    /// `endString`; a key likewise. A number is `beginNumber`, one or more `digits`, `endNumber`.
    package enum Kind: UInt8, Sendable, Hashable {
        case beginObject
        case endObject
        case beginArray
        case endArray
        /// The opening quote of a key.
        case beginKey
        /// The whole key, quotes included.
        case endKey
        /// The opening quote of a string that is a value.
        case beginString
        /// The whole string, quotes included.
        case endString
        /// Bytes that stand for themselves; a cut may be inside a character.
        case text
        /// A whole escape, or a pair of surrogate escapes; ``JSONToken/scalar`` is what it means.
        case escape
        /// A surrogate escape without partner; ``JSONToken/scalar`` is its code unit.
        case loneSurrogate
        /// The place where a number begins (an empty range).
        case beginNumber
        /// Bytes of a number.
        case digits
        /// The whole number.
        case endNumber
        case `true`
        case `false`
        case null
    }

    package var kind: Kind
    /// What an escape means; 0 for all else.
    package var scalar: UInt32 = 0
    /// Offset of the first byte in the stream; of an escape it may be in an earlier push.
    package var start: Int
    /// Offset behind the last byte.
    package var end: Int

    package init(_ kind: Kind, _ start: Int, _ end: Int, scalar: UInt32 = 0) {
        self.kind = kind
        self.scalar = scalar
        self.start = start
        self.end = end
    }
}
