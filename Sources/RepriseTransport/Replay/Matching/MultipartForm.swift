internal import RepriseWire

/// A multipart body in its parts (RFC 2046 section 5.1.1, RFC 7578).
struct MultipartForm {
    /// One part.
    struct Part {
        /// Its name; nil where it has none.
        var name: String?
        /// Its header fields, as written, sorted by name.
        var fields: [String]
        /// What it holds.
        var content: MaskedText
    }

    private(set) var parts: [Part] = []

    /// The parts between the boundary's lines; nil for a body that has none, or not the last one.
    ///
    /// - Parameter boundary: As the `Content-Type` says.
    init?(_ body: MaskedText, boundary: [UInt8]) {
        let mark = Array("--".utf8) + boundary
        var rest = body
        guard !boundary.isEmpty, let first = rest.bytes.firstRange(of: mark) else { return nil }
        rest = rest[first.upperBound..<rest.bytes.count]
        let next = Array("\r\n".utf8) + mark
        while !rest.bytes.starts(with: "--".utf8) {
            guard let end = rest.bytes.firstRange(of: next),
                let part = Part(rest[0..<end.lowerBound])
            else { return nil }
            parts.append(part)
            rest = rest[end.upperBound..<rest.bytes.count]
        }
    }
}

extension MultipartForm.Part {
    /// A part from behind its boundary to its end.
    fileprivate init?(_ text: MaskedText) {
        let blank = Array("\r\n\r\n".utf8)
        guard let end = text.bytes.firstRange(of: blank) else { return nil }
        let lines = String(decoding: text.bytes[..<end.lowerBound], as: UTF8.self)
            .split(separator: "\r\n").map(String.init)
        fields = lines.sorted()
        content = text[end.upperBound..<text.bytes.count]
        let disposition = lines.first { $0.lowercased().hasPrefix("content-disposition:") }
        name = disposition.flatMap { line in
            guard let start = line.firstRange(of: "name=\"") else { return nil }
            return String(line[start.upperBound...].prefix { $0 != "\"" })
        }
    }
}

/// A recorded multipart body against one of now, part by part and whatever the boundaries are.
struct MultipartComparison {
    let recorded: MultipartForm
    let now: MultipartForm
    let trial: MatchTrial

    var differences: [RequestDifference] {
        var found: [RequestDifference] = []
        var rest = now.parts
        for part in recorded.parts {
            let title = title(part)
            guard let place = rest.firstIndex(where: { $0.name == part.name }) else {
                found.append(
                    RequestDifference(
                        .part(part.name ?? ""), "the \(title) of the body is missing",
                        at: part.name.map { .part($0) }))
                continue
            }
            found += compare(part, rest.remove(at: place))
        }
        for part in rest where !isVolatile(part) {
            found.append(
                RequestDifference(
                    .part(part.name ?? ""), "the \(title(part)) of the body was not recorded",
                    at: part.name.map { .part($0) }))
        }
        return found
    }

    private func compare(
        _ recorded: MultipartForm.Part, _ now: MultipartForm.Part
    ) -> [RequestDifference] {
        if isVolatile(recorded) { return [] }
        let title = title(recorded)
        let place = recorded.name.map { RequestPlace.part($0) }
        if recorded.fields != now.fields {
            return [
                RequestDifference(
                    .part(recorded.name ?? ""),
                    "the header of the \(title) of the body differs: recorded "
                        + "\(Shown(recorded.fields.joined(separator: "; "))), now "
                        + "\(Shown(now.fields.joined(separator: "; ")))", at: place)
            ]
        }
        if let place, isIdentifier(recorded, now, place) { return [] }
        let body = BodyComparison(
            recorded: recorded.content, now: now.content, name: title, trial: trial)
        return body.differences.map { difference in
            var difference = difference
            difference.part = .part(recorded.name ?? "")
            difference.place = place
            return difference
        }
    }

    private func isIdentifier(
        _ recorded: MultipartForm.Part, _ now: MultipartForm.Part, _ place: RequestPlace
    ) -> Bool {
        trial.matching.identifiers.contains(place)
            && trial.accepts(
                String(decoding: now.content.bytes, as: UTF8.self),
                for: String(decoding: recorded.content.bytes, as: UTF8.self), isPlace: true)
    }

    private func isVolatile(_ part: MultipartForm.Part) -> Bool {
        part.name.map { trial.isVolatile(.part($0)) } ?? false
    }

    private func title(_ part: MultipartForm.Part) -> String {
        part.name.map { "part \(Shown($0))" } ?? "part without a name"
    }
}
