import RepriseSupport
import Testing

@Suite struct SHA256Tests {
    /// The examples of NIST's publication and of its test vectors.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func digestsTheExamples(text: String, digest: String) {
        #expect(SHA256(of: Array(text.utf8)).hexadecimal == digest)
    }

    @Test func digestsAMillionBytesInPieces() {
        var hash = SHA256()
        for _ in 0..<1_000 { hash.update(Array(repeating: UInt8(ascii: "a"), count: 1_000)) }
        #expect(
            hash.hexadecimal
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func doesNotDependOnTheCuts() {
        let bytes = (0..<200).map { UInt8($0) }
        let whole = SHA256(of: bytes).hexadecimal
        for cut in 0...bytes.count {
            var hash = SHA256()
            hash.update(Array(bytes[..<cut]))
            hash.update(Array(bytes[cut...]))
            #expect(hash.hexadecimal == whole)
        }
    }
}
