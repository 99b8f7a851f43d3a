#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Data {
    /// Appends one field of a `multipart/form-data` body (RFC 7578).
    ///
    /// The value is any text. In the name, quotes and line ends are percent-encoded, as the HTML
    /// standard's form submission does, so that a name cannot add a header or a field. The form
    /// ends with `--boundary--` and a line end, which the caller appends.
    ///
    /// - Parameters:
    ///   - boundary: The boundary; it may not occur in any value.
    ///   - name: The field's name.
    ///   - value: The field's value.
    public mutating func appendFormField(boundary: String, name: String, value: String) {
        var safe = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": safe += "%22"
            case "\r": safe += "%0D"
            case "\n": safe += "%0A"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        append(contentsOf: "--\(boundary)\r\n".utf8)
        append(contentsOf: "Content-Disposition: form-data; name=\"\(safe)\"\r\n\r\n".utf8)
        append(contentsOf: "\(value)\r\n".utf8)
    }
}
