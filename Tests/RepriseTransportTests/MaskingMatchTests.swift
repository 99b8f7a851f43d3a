import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// A live request against the recorded one.
@Suite struct MaskingMatchTests {
    private let recorded = RequestRecord(
        method: "POST", url: "https://h/p?token=abc\"&x=1",
        headers: [
            "Host": "h", "Authorization": "Bearer abcdefghijkl", "Accept": "a\"b",
            "X-User-Anon-Id": "one", "Content-Length": "3",
        ])

    private func differences(
        _ change: (inout RequestRecord, inout String) -> Void
    ) throws -> [MaskedRequest.Difference] {
        var (live, body) = (recorded, "say abcdefghijkl!")
        let theirs = try masked(live, body)
        live.headers.fields.removeAll { ["Host", "Content-Length"].contains($0.name) }
        change(&live, &body)
        return try masked(live, body).differences(from: theirs)
    }

    private func masked(_ record: RequestRecord, _ body: String) throws -> MaskedRequest {
        var redactor = Redactor()
        return try MaskedRequest(
            record, body: Array(body.utf8), sensitive: SensitivePaths(), redactor: &redactor)
    }

    @Test func otherSecretsMatch() throws {
        let found = try differences { record, _ in
            record.url = "https://h/p?token=another&x=1"
            record.headers.fields[2].value = "two"
        }
        #expect(found == [])
    }

    @Test func stars() throws {
        let found = try differences { record, _ in
            record.headers.fields[0].value = "Bearer *****"
            record.url = "https://h/p?token=****&x=1"
        }
        #expect(found == [])
    }

    @Test func everyDifferenceIsTold() throws {
        #expect(try differences { record, _ in record.method = "PUT" } == [.method])
        #expect(
            try differences { record, _ in record.url = "https://h/p?token=abc&x=2" } == [.url])
        #expect(
            try differences { record, _ in record.headers.fields[1].value = "b" }
                == [.header("Accept")])
        #expect(
            try differences { record, _ in record.headers.append("New", "1") } == [.header("New")])
        #expect(
            try differences { record, _ in record.headers.fields.remove(at: 1) }
                == [.header("Accept")])
        #expect(
            try differences { record, _ in record.headers.fields.swapAt(1, 2) }
                == [.header("X-User-Anon-Id"), .header("Accept")])
        #expect(
            try differences { record, _ in record.headers.fields[0].value = "Basic abc" }
                == [.header("Authorization")])
        #expect(try differences { _, body in body = "so abcdefghijkl!" } == [.body(1)])
        #expect(try differences { _, body in body += "?" } == [.body(17)])
    }

    @Test func laterWordsAboutAByteHold() {
        var map = MaskMap()
        let mask = { (offset: Int, length: Int, secret: Int?) in
            MaskedRecord(
                frame: 1, offset: offset, length: length, rule: "known", secret: secret,
                provisional: secret == nil ? true : nil)
        }
        map.add(mask(10, 20, nil))
        map.reveal(RevealRecord(frame: 1, offset: 10, bytes: [1, 2]))
        map.add(mask(14, 4, 7))
        map.reveal(RevealRecord(frame: 2, offset: 14, bytes: [1]))
        map.reveal(RevealRecord(frame: 1, offset: 29, bytes: [1, 2, 3]))
        #expect(map.masks[1] == [mask(12, 2, nil), mask(14, 4, 7), mask(18, 11, nil)])
        map.add(mask(.max, .max, 1))
        map.add(mask(.min, 5, 1))
        map.reveal(RevealRecord(frame: 1, offset: .max, bytes: [1]))
    }
}
