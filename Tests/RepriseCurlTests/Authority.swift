import TestSupport

/// A certificate authority of a test's own, made with openssl, and a certificate for 127.0.0.1.
struct Authority {
    private let folder: TemporaryFolder
    var file: String { folder.file("ca.pem") }
    var certificate: String { folder.file("server.pem") }
    var key: String { folder.file("server.key") }
    /// The key of the authority's own certificate, which it signed itself.
    var ownKey: String { folder.file("ca.key") }

    /// - Parameter days: How long the server's certificate is good for; below 0 it has expired.
    static func make(days: Int = 2) async throws -> Authority {
        let authority = Authority(folder: try TemporaryFolder())
        let folder = authority.folder
        try folder.write("names", Array("subjectAltName=IP:127.0.0.1\n".utf8))
        try await openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-subj", "/CN=Test Authority", "-days", "2", "-keyout", folder.file("ca.key"), "-out",
            authority.file)
        try await openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=Test Server", "-keyout", authority.key, "-out", folder.file("server.csr"))
        try await openssl(
            "x509", "-req", "-in", folder.file("server.csr"), "-CA", authority.file, "-CAkey",
            folder.file("ca.key"), "-CAcreateserial", "-days", "\(days)", "-extfile",
            folder.file("names"), "-out", authority.certificate)
        return authority
    }

    private static func openssl(_ arguments: String...) async throws {
        let result = try await Command("/usr/bin/env", ["openssl"] + arguments).run()
        guard result.ending == .exited(0) else {
            throw TestSupportError(
                "openssl: \(String(decoding: result.errors, as: UTF8.self))")
        }
    }
}
