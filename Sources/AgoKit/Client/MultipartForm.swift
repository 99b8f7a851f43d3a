#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The fields of a `multipart/form-data` body in order (RFC 7578).
struct MultipartForm {
    private(set) var fields: [(name: String, value: String)] = []

    mutating func append(_ name: String, _ value: String?) {
        if let value { fields.append((name, value)) }
    }

    /// A boundary that, byte for byte, occurs in no name and no value; nil where `draw` gives none in 8 attempts.
    func boundary(_ draw: () -> String) -> String? {
        for _ in 0..<8 {
            let boundary = draw()
            let isFree = fields.allSatisfy {
                !$0.name.utf8.contains(boundary.utf8) && !$0.value.utf8.contains(boundary.utf8)
            }
            if isFree, !boundary.isEmpty { return boundary }
        }
        return nil
    }

    func body(boundary: String) -> [UInt8] {
        var data = Data()
        for field in fields {
            data.appendFormField(boundary: boundary, name: field.name, value: field.value)
        }
        data.append(contentsOf: "--\(boundary)--\r\n".utf8)
        return Array(data)
    }
}
