/// The parts of a recorded URL against those of one of now.
struct URLComparison {
    let recorded: URLForm
    let now: URLForm
    let trial: MatchTrial

    private typealias Piece = (name: String, value: String?)

    /// In which parts they differ.
    var differences: [RequestDifference] {
        var found: [RequestDifference] = []
        if trial.matching.comparesOrigin {
            found += difference("scheme", recorded.scheme, now.scheme)
            found += difference("host", recorded.authority, now.authority)
        }
        if !isPathSame {
            found += difference(
                "path", recorded.path, now.path, at: pathPlace, ids: pathIdentifiers)
        }
        return found + (trial.matching.values == .meant ? meantQuery : writtenQuery)
    }

    private func difference(
        _ name: String, _ recorded: String, _ now: String, at place: RequestPlace? = nil,
        ids: (recorded: String, now: String)? = nil
    ) -> [RequestDifference] {
        if recorded == now { return [] }
        return [
            RequestDifference(
                .url(name),
                "the URL's \(name) differs: recorded \(Shown(recorded)), now \(Shown(now))",
                at: place, ids: ids)
        ]
    }

    // MARK: Path

    private var isPathSame: Bool {
        if recorded.path == now.path { return true }
        let (old, new) = (segments(recorded), segments(now))
        guard old.count == new.count else { return false }
        let free = trial.segments(of: old)
        let isSame = trial.segments(of: new)
        return old.indices.allSatisfy { index in
            old[index] == new[index]
                || free.volatile.contains(index) && isSame.volatile.contains(index)
                || trial.accepts(
                    new[index], for: old[index],
                    isPlace: free.ids.contains(index) && isSame.ids.contains(index))
        }
    }

    private func segments(_ url: URLForm) -> [String] {
        let segments = url.path.dropFirst().split(
            separator: "/", omittingEmptySubsequences: false
        ).map(String.init)
        return trial.matching.values == .meant ? segments.map(\.percentDecoded) : segments
    }

    /// The segments that differ, as a pattern; nil where more than those do.
    private var pathPlace: RequestPlace? {
        let (old, new) = (segments(recorded), segments(now))
        guard old.count == new.count, zip(old, new).contains(where: ==) else { return nil }
        return .path("/" + zip(old, new).map { $0 == $1 ? $0 : "*" }.joined(separator: "/"))
    }

    /// The segment that differs, where one does.
    private var pathIdentifiers: (recorded: String, now: String)? {
        let (old, new) = (segments(recorded), segments(now))
        let others = zip(old, new).filter { $0 != $1 }
        return old.count == new.count && others.count == 1
            ? others.first.map { (recorded: $0.0, now: $0.1) } : nil
    }

    // MARK: Query

    private var writtenQuery: [RequestDifference] {
        let (old, new) = (compared(recorded.query ?? []), compared(now.query ?? []))
        for index in 0..<max(old.count, new.count) {
            let recorded = index < old.count ? old[index] : nil
            let sent = index < new.count ? new[index] : nil
            if isSame(recorded, sent) { continue }
            return [queryDifference("at parameter \(index + 1)", recorded, sent)]
        }
        return []
    }

    /// The parameters in any order, of those of one name the first against the first.
    private var meantQuery: [RequestDifference] {
        var rest = compared(now.query ?? []).map(decoded)
        var found: [RequestDifference] = []
        for piece in compared(recorded.query ?? []).map(decoded) {
            let place = rest.firstIndex { $0.name == piece.name }
            let sent = place.map { rest.remove(at: $0) }
            if !isSame(piece, sent) {
                found.append(queryDifference("at \(Shown(piece.name))", piece, sent))
            }
        }
        for piece in rest where !(piece.name.isEmpty && piece.value == nil) {
            found.append(queryDifference("at \(Shown(piece.name))", nil, piece))
        }
        return found
    }

    private func compared(_ query: [Piece]) -> [Piece] {
        query.filter { !trial.isVolatile(.query($0.name)) }
    }

    private func decoded(_ piece: Piece) -> Piece {
        let value = piece.value?.replacing("+", with: " ").percentDecoded
        return (piece.name.replacing("+", with: " ").percentDecoded, value)
    }

    private func isSame(_ recorded: Piece?, _ now: Piece?) -> Bool {
        guard let recorded, let now, recorded.name == now.name else { return false }
        if recorded.value == now.value { return true }
        guard let old = recorded.value, let new = now.value else { return false }
        return trial.accepts(new, for: old, at: .query(recorded.name))
    }

    private func queryDifference(
        _ place: String, _ recorded: Piece?, _ now: Piece?
    ) -> RequestDifference {
        let name = recorded?.name ?? now?.name ?? ""
        return RequestDifference(
            .url("query \(name)"),
            "the URL's query differs \(place): recorded \(Self.shown(recorded)), now "
                + "\(Self.shown(now))", at: .query(name),
            ids: recorded?.value.flatMap { old in now?.value.map { (recorded: old, now: $0) } })
    }

    private static func shown(_ piece: Piece?) -> String {
        guard let piece else { return "none" }
        return Shown(piece.name + (piece.value.map { "=" + $0 } ?? "")).description
    }
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
}

extension String {
    /// With percent escapes resolved (RFC 3986 section 2.1); what is none stays.
    fileprivate var percentDecoded: String {
        var rest = Array(utf8)[...]
        var decoded: [UInt8] = []
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            guard byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(isHexDigit),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                decoded.append(byte)
                continue
            }
            decoded.append(value)
            rest = rest.dropFirst(2)
        }
        // What is no text is what it was written as.
        return String(validating: decoded, as: UTF8.self) ?? self
    }
}
