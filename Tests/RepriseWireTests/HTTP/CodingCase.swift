import Testing

/// A body as Python's `gzip` and `zlib` modules coded it, and what it says.
struct CodingCase: Sendable {
    let name: String
    /// As `Content-Encoding` lists them.
    let codings: [String]
    let plain: [UInt8]
    let coded: [UInt8]

    init(_ name: String, _ codings: [String], _ plain: [UInt8], _ hex: String) {
        self.name = name
        self.codings = codings
        self.plain = plain
        coded = CodingCase.bytes(hex)
    }

    /// Four events with characters of two and four bytes.
    static let plain = Array(
        String(
            repeating: "data: {\"content\":\"Gr\u{fc}\u{df}e \u{1f600}\"}\n\n", count: 4
        ).utf8)

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.map { UInt8($0 < 0x3A ? $0 - 0x30 : $0 - 0x57) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

extension CodingCase: CustomTestStringConvertible {
    var testDescription: String { name }
}

extension CodingCase {
    /// One of each form: header fields, several members, stored, fixed and dynamic blocks, a flush
    /// after every 30 bytes, small windows, stacks.
    static let all: [CodingCase] = [
        CodingCase(
            "gzip", ["gzip"], plain,
            "1f8b08000000000002034b492c49b452a8564acecf2b49cd2b51b252722f3abce7f0fc54850ff367"
                + "3428d57271a5d04505002754239588000000"),
        CodingCase(
            "gzipEmpty", ["gzip"], [],
            "1f8b080000000000020303000000000000000000"),
        CodingCase(
            "gzipFile", ["gzip"], plain,
            "1f8b08080000000002ff776f7264732e747874004b492c49b452a8564acecf2b49cd2b51b252722f"
                + "3abce7f0fc54850ff3673428d57271a5d04505002754239588000000"),
        CodingCase(
            "gzipAllFields", ["x-gzip"], plain,
            "1f8b081e000000000203080041420400616263646ee96d6500776879003e634b492c49b452a8564a"
                + "cecf2b49cd2b51b252722f3abce7f0fc54850ff3673428d57271a5d04505002754239588000000"),
        CodingCase(
            "gzipStored", ["gzip"], Array(plain[..<50]),
            "1f8b0800000000000203013200cdff646174613a207b22636f6e74656e74223a224772c3bcc39f65"
                + "20f09f9880227d0a0a646174613a207b22636f6e74656e7422bfd4374432000000"),
        CodingCase(
            "gzipSync", ["gzip"], plain,
            "1f8b08000000000000034a492c49b452a8564acecf2b49cd2b51b252722f3abce7f0fc54850ff367"
                + "3400000000ffff52aae5e24ac1a902000000ffffc2af02000000ffffc2af02000000ffff42570100"
                + "0000ffff03002754239588000000"),
        CodingCase(
            "gzipMembers", ["gzip"], plain,
            "1f8b08000000000002034b492c49b452a8564acecf2b49cd2b51b252722f3abce7f0fc54850ff367"
                + "3428d57271a5a0a90000bfd43744320000001f8b0800000000000203030000000000000000001f8b"
                + "080800000000020374776f00b352722f3abce7f0fc54850ff3673428d57271a52496245a29542b25"
                + "e7e795a4e695285991a102002cd0a2c756000000"),
        CodingCase(
            "zlib", ["deflate"], plain,
            "789c4b492c49b452a8564acecf2b49cd2b51b252722f3abce7f0fc54850ff3673428d57271a5d045"
                + "05005a4e360d"),
        CodingCase(
            "zlibEmpty", ["deflate"], [],
            "789c030000000001"),
        CodingCase(
            "zlibSmallWindow", ["deflate"], plain,
            "18d34b492c49b452a8564acecf2b49cd2b51b252722f3abce7f0fc54850ff3673428d57271a5d045"
                + "05005a4e360d"),
        CodingCase(
            "zlibSync", ["deflate"], plain,
            "789c4a492c49b452a8564acecf2b49cd2b51b252722f3abce7f0fc54850ff3673400000000ffff52"
                + "aae5e24ac1a902000000ffffc2af02000000ffffc2af02000000ffff425701000000ffff03005a4e"
                + "360d"),
        CodingCase(
            "raw", ["deflate"], plain,
            "4b492c49b452a8564acecf2b49cd2b51b252722f3abce7f0fc54850ff3673428d57271a5d0450500"),
        CodingCase(
            "rawEmpty", ["deflate"], [],
            "0300"),
        CodingCase(
            "rawStored", ["deflate"], Array(plain[..<50]),
            "013200cdff646174613a207b22636f6e74656e74223a224772c3bcc39f6520f09f9880227d0a0a64"
                + "6174613a207b22636f6e74656e7422"),
        CodingCase(
            "rawFixed", ["deflate"], plain,
            "4b492c49b452a8564acecf2b49cd2b51b252722f3abce7f0fc54850ff3673428d57271a5d0450500"),
        CodingCase(
            "rawSync", ["deflate"], plain,
            "4a492c49b452a8564acecf2b49cd2b51b252722f3abce7f0fc54850ff3673400000000ffff52aae5"
                + "e24ac1a902000000ffffc2af02000000ffffc2af02000000ffff425701000000ffff0300"),
        CodingCase(
            "deflateThenGzip", ["deflate", "gzip"], plain,
            "1f8b0800000000000203012e00d1ff789c4b492c49b452a8564acecf2b49cd2b51b252722f3abce7"
                + "f0fc54850ff3673428d57271a5d04505005a4e360db1b4344d2e000000"),
        CodingCase(
            "gzipTwice", ["gzip", "identity", "GZIP"], plain,
            "1f8b080000000000020393efe660000126666f4f1dcf2d412bc2bcce9dd7f63cab1db829a848df6a"
                + "cff30f7f425af93fa79b685c2d2a5c7ac19595413d44796a0750070079e3821c3a000000"),
    ]
}
