internal import RepriseSession
internal import RepriseTape
internal import RepriseWire

/// The form of a ticket: rule P4.
enum AgoTicketForm {
    static let required = ["subject", "typology", "priority", "body"]

    static func check(_ unit: ExchangeUnit, into output: inout DialectOutput) {
        guard !unit.exchange.isBodyCut else { return }
        let present = fields(of: unit.exchange)
        let missing = required.filter { !present.contains($0) }
        guard !missing.isEmpty else { return }
        output.raise(
            AgoRules.p4, at: unit.place, expected: required.joined(separator: ", "),
            seen: "without " + missing.joined(separator: ", "))
    }

    /// Names of the fields that have a value.
    private static func fields(of exchange: ExchangeHead) -> Set<String> {
        if exchange.request.headers.mediaType == "application/json" {
            let members = (try? JSON.parse(exchange.body).value.object?.members) ?? []
            return Set(members.filter { $0.value.string?.isEmpty == false }.map(\.key))
        }
        guard let type = exchange.request.headers.first("Content-Type"),
            let boundary = boundary(in: type)
        else { return [] }
        let text = String(decoding: exchange.body, as: UTF8.self)
        let parts = text.split(separator: "--\(boundary)").compactMap(field)
        return Set(parts)
    }

    private static func boundary(in type: String) -> String? {
        guard let range = type.lowercased().firstRange(of: "boundary=") else { return nil }
        let start = type.index(
            type.startIndex,
            offsetBy: type.lowercased().distance(
                from: type.lowercased().startIndex, to: range.upperBound))
        let value = type[start...].prefix { $0 != ";" && $0 != " " }
        let boundary = String(value.filter { $0 != "\"" })
        return boundary.isEmpty ? nil : boundary
    }

    /// The name of a part (RFC 7578 section 4.2) that is not empty.
    private static func field(_ part: Substring) -> String? {
        guard let gap = part.firstRange(of: "\r\n\r\n"),
            let name = part[..<gap.lowerBound].firstRange(of: "name=\"")
        else { return nil }
        var value = part[gap.upperBound...]
        if value.hasSuffix("\r\n") { value = value.dropLast() }
        guard !value.isEmpty else { return nil }
        return String(part[name.upperBound...].prefix { $0 != "\"" })
    }
}
