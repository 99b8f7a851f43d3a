import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Multipart bodies, compared part by part.
@Suite struct MultipartTests {
    private static func body(_ boundary: String, _ parts: [(name: String, content: String)])
        -> String
    {
        parts.map { part in
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"\r\n"
                + "Content-Type: text/plain\r\n\r\n\(part.content)\r\n"
        }.joined() + "--\(boundary)--\r\n"
    }

    private static let parts = [
        (name: "subject", content: "Hello"), (name: "data", content: #"{"a":1,"b":[2]}"#),
        (name: "file", content: "two\r\nlines --AAA"), (name: "file", content: ""),
    ]

    private static func transport(_ matching: RequestMatching) throws -> ReplayTransport {
        ReplayTransport(
            recording: try recording(
                exchange(
                    method: "POST",
                    headers: #","# + #"["Content-Type","multipart/form-data; boundary=AAA"]"#,
                    body: body("AAA", parts))), matching: matching)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var matching = RequestMatching.flexible
        var boundary = "zz-9"
        var change: @Sendable (inout [(name: String, content: String)]) -> Void = { _ in }
        var difference: String?

        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "another boundary"),
        Case(name: "another boundary in quotes", boundary: "\"q q\""),
        Case(name: "the same boundary", boundary: "AAA"),
        Case(
            name: "JSON by its values",
            change: { $0[1].content = #"{ "b": [2.0], "a": 1 }"# }),
        Case(
            name: "JSON that differs", change: { $0[1].content = #"{"a":1,"b":[3]}"# },
            difference: #"in the part "data", $.b[0] differs: recorded 2, now 3"#),
        Case(
            name: "text that differs", change: { $0[0].content = "Hallo" },
            difference: #"the part "subject" differs from byte 1 on: recorded 5 bytes, now 5"#),
        Case(
            name: "a part is missing", change: { $0.remove(at: 3) },
            difference: #"the part "file" of the body is missing"#),
        Case(
            name: "a part more", change: { $0.append((name: "more", content: "1")) },
            difference: #"the part "more" of the body was not recorded"#),
        Case(
            name: "a volatile part", matching: .flexible.ignoring(.part("subject")),
            change: { $0[0].content = "Hallo" }),
        Case(
            name: "a volatile part, exactly", matching: .exact.ignoring(.part("subject")),
            change: { $0[0].content = "Hallo" }),
        Case(
            name: "a volatile part that is new", matching: .flexible.ignoring(.part("more")),
            change: { $0.append((name: "more", content: "1")) }),
        Case(
            name: "an id", matching: .flexible.mapping(.part("subject")),
            change: { $0[0].content = "new-id-1" }),
        Case(
            name: "in another order of different names", change: { $0.swapAt(0, 1) }),
        Case(
            name: "in another order of one name", change: { $0.swapAt(2, 3) },
            difference: #"the part "file" ends before the recorded one: recorded 16 bytes, now 0"#),
    ])
    func compares(_ each: Case) async throws {
        let transport = try Self.transport(each.matching)
        var parts = Self.parts
        each.change(&parts)
        let plain = each.boundary.replacing("\"", with: "")
        let request = post(
            Self.body(plain, parts),
            headers: ["Content-Type": "multipart/form-data; boundary=\(each.boundary)"])
        do {
            _ = try await transport.send(request)
            #expect(each.difference == nil)
        } catch {
            #expect(transport.misses.first?.differences.first?.description == each.difference)
        }
    }

    @Test("Cut off anywhere it is not the recorded one, and nothing goes wrong")
    func truncated() async throws {
        let whole = Array(Self.body("zz-9", Self.parts).utf8)
        for count in 0..<whole.count - 4 {
            let transport = try Self.transport(.flexible)
            var request = post(
                "", headers: ["Content-Type": "multipart/form-data; boundary=zz-9"])
            request.body = Array(whole.prefix(count))
            await #expect(throws: TransportError.self, "\(count) bytes") {
                try await transport.send(request)
            }
        }
    }
}
