package import RepriseTape

/// Finds the head of the final response in the bytes of a connection.
///
/// States: before a status line; within a head; after the final head, where nothing is read.
package struct HeadReader {
    /// What bytes brought.
    package enum Outcome: Equatable {
        /// More is to come.
        case incomplete
        /// The final head, and what came behind it.
        case final(ResponseRecord, rest: [UInt8])
        /// The first line is not a status line of HTTP.
        case notHTTP
        /// The head is over the limit of ``ResponseHead``.
        case tooLarge
    }

    private var head = ResponseHead()
    private var line: [UInt8] = []
    private var isAtStart = true

    /// Whether any byte came.
    package private(set) var hasBegun = false

    package init() {}

    /// Takes the bytes of one read.
    ///
    /// - Parameter began: Called for each status line, interim ones included.
    package mutating func push(_ bytes: [UInt8], began: () -> Void) -> Outcome {
        hasBegun = hasBegun || !bytes.isEmpty
        var at = 0
        while at < bytes.count {
            let end = bytes[at...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            line += bytes[at..<(end ?? bytes.count)]
            at = end ?? bytes.count
            if line.count > ResponseHead.limit { return .tooLarge }
            if isAtStart, !isLikeHTTP { return .notHTTP }
            guard end != nil else { break }
            let outcome = take(began)
            if case .final(let record, _) = outcome {
                return .final(record, rest: Array(bytes[at...]))
            }
            if outcome != .incomplete { return outcome }
        }
        return .incomplete
    }

    /// Takes the line, which is whole.
    private mutating func take(_ began: () -> Void) -> Outcome {
        defer { line.removeAll(keepingCapacity: true) }
        switch head.push(line) {
        case .began:
            isAtStart = false
            began()
        case .final(let record): return .final(record, rest: [])
        case .none:
            if head.isTooLarge { return .tooLarge }
            if isAtStart { return .notHTTP }
            // The blank line of an interim head.
            isAtStart = FieldLine.withoutEnd(line).isEmpty
        }
        return .incomplete
    }

    /// Whether the line begins as a status line does, as far as it came.
    private var isLikeHTTP: Bool {
        let start = Array("HTTP/".utf8)
        return line.prefix(start.count).elementsEqual(start.prefix(line.count))
    }
}
