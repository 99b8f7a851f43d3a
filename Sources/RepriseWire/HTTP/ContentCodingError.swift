/// A content-coded body that cannot be decoded, or not further.
public struct ContentCodingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A coding that is not known.
        case unsupported
        /// Bytes that are not of the coding.
        case corrupt
        /// The body ended before the coding did.
        case truncated
        /// Bytes behind the end of the coding.
        case trailingBytes
        /// More output from one push than was allowed.
        case outputLimit
    }

    /// What is wrong.
    public var kind: Kind
    /// The coding's name.
    public var coding: String
    /// How many bytes were decoded before; all of them were delivered.
    public var offset: Int
    /// What the decoder said of it, without any content; empty where it said nothing.
    public var detail: String

    /// An error as it was recorded.
    package init(kind: Kind, coding: String, offset: Int, detail: String) {
        self.kind = kind
        self.coding = coding
        self.offset = offset
        self.detail = detail
    }

    /// The error in words.
    public var description: String {
        let what =
            switch kind {
            case .unsupported: "content coding \(coding) is not supported"
            case .corrupt: "\(coding) data is corrupt after \(offset) decoded bytes"
            case .truncated: "\(coding) data ends too early, after \(offset) decoded bytes"
            case .trailingBytes: "bytes follow the end of the \(coding) data"
            case .outputLimit: "\(coding) data decodes to more than the limit"
            }
        return detail.isEmpty ? what : "\(what): \(detail)"
    }
}
