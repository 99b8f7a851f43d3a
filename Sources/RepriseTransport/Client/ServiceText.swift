/// Words of a service that go into an error.
package enum ServiceText {
    /// At most 200 characters on one line, with stars for secrets.
    package static func bounded(_ text: String, without secrets: [String]) -> String {
        var bytes = Array(text.utf8)
        for secret in secrets where !secret.isEmpty {
            bytes = bytes.replacing(secret.utf8, with: "***".utf8)
        }
        let line = String(decoding: bytes, as: UTF8.self).unicodeScalars.map {
            $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) ? " " : Character($0)
        }
        return line.count > 200 ? String(line.prefix(199)) + "…" : String(line)
    }
}
