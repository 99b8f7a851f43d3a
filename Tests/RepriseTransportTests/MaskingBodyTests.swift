import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Masks of bodies that come in pieces.
@Suite struct MaskingBodyTests {
    private static let token = "tok-Abc/9876543210+xyz=="

    @Test(
        arguments: [
            (#"{"token":"ab\"c\u0041d","x":1}"#, "token", #"{"token":"************","x":1}"#),
            (#"{"a":{"t":-120.5e+3,"u":0.7},"t":5}"#, "a", #"{"a":{"t":-100.0e+0,"u":0.0},"t":5}"#),
            (
                #"{"a":[true,null,"x",{"k":"yz","l":[7]}]}"#, "a",
                #"{"a":[true,null,"*",{"k":"**","l":[1]}]}"#
            ),
            (
                #"{"i":[{"k":"ab","o":"c"},{"k":"d"}]}"#, "i.*.k",
                #"{"i":[{"k":"**","o":"c"},{"k":"*"}]}"#
            ),
            (#"{"i":["ab","cd"]}"#, "i.1", #"{"i":["ab","**"]}"#),
            (#"{"i":{"x":"ab"},"j":{"x":"cd"}}"#, "*.x", #"{"i":{"x":"**"},"j":{"x":"**"}}"#),
            (#"{"d\u0061ta":{"jwt":"é😀"}}"#, "data.jwt", #"{"d\u0061ta":{"jwt":"******"}}"#),
            (#" "abc" "#, "", #" "***" "#),
            (#"{"token":""}"#, "token", #"{"token":""}"#),
            (#"{"t":"a","t":"b"}"#, "t", #"{"t":"*","t":"*"}"#),
            // What is wrong with a text does not end the masking.
            (
                "{\"n\":\"a\nb\\q\",,\"token\":\"abc\"}", "token",
                "{\"n\":\"a\nb\\q\",,\"token\":\"***\"}"
            ),
            (#"{"token":abc,"x":1}"#, "token", #"{"token":***,"x":1}"#),
            (#"{"token":"abc"#, "token", #"{"token":"***"#),
            (#"{"token":"a"}{"token":"b"}"#, "token", #"{"token":"*"}{"token":"*"}"#),
        ])
    func declaredValues(body: String, path: String, masked: String) throws {
        for mediaType in ["application/json", nil] where mediaType != nil || body.hasPrefix("{") {
            for size in 1...body.utf8.count {
                let run = try MaskedRun(
                    body, size: size, mediaType: mediaType, sensitive: [path])
                #expect(run.text == masked)
                #expect(run.sizes == run.originalSizes)
            }
        }
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func declaredValuesOfEvents(end: String) throws {
        let lines = [
            "\u{FEFF}: {\"token\":\"abc\"}", "data: {\"token\":\"abc\",", "data:\"x\":[1,",
            "data: 2]}", "",
            "event: token", "data:{\"token\":", "data: \"defg\"}", "id: 1", "", "data: token", "",
            "data: 77", "", "data", "data: {\"token\":\"h", "", "data: {\"x\":1}", "",
        ]
        let expected = lines.map { line in
            line == lines[0]
                ? line
                : line.replacing("abc", with: "***").replacing("defg", with: "****")
                    .replacing("\"h", with: "\"*")
        }
        let body = lines.joined(separator: end)
        for size in 1...body.utf8.count {
            let run = try MaskedRun(
                body, size: size, mediaType: "text/event-stream", sensitive: ["token"])
            #expect(run.text == expected.joined(separator: end))
        }
    }

    @Test func numbersAreGivenWhenAValueIsComplete() throws {
        let body = #"{"a":"first-value","b":"second","c":"first-value"}"#
        for size in 1...body.utf8.count {
            let run = try MaskedRun(body, size: size, sensitive: ["a", "b", "c"])
            let parts = run.map.masks.sorted { $0.key < $1.key }.flatMap(\.value)
            #expect(parts.allSatisfy { $0.secret != nil })
            let total = { (number: Int) in
                parts.filter { $0.secret == number }.map(\.length).reduce(0, +)
            }
            #expect(total(1) == 22)
            #expect(total(2) == 6)
        }
    }

    @Test func knownSecretsAtEverySplit() throws {
        let token = MaskingBodyTests.token
        let stars = Masking.stars(token)
        let json = #"{"a":"<\#(token)>","n":[1,"tok-Ab"],"b":"\#(token)\#(token)"}"#
        let expected = json.replacing(token, with: stars)
        for first in 0...json.utf8.count {
            for second in stride(from: first, through: json.utf8.count, by: 17) {
                let run = try MaskedRun(json, cuts: [first, second], secrets: [token])
                #expect(run.hidesPieces(of: token))
                // At most five bytes of a beginning stay at each cut.
                let differing = zip(run.text.utf8, expected.utf8).filter { $0 != $1 }
                #expect(differing.count <= 10)
                #expect(run.sizes == run.originalSizes)
            }
        }
        for size in 1...30 {
            let run = try MaskedRun(json, size: size, secrets: [token])
            #expect(run.hidesPieces(of: token))
            #expect(throws: Never.self) { try JSON.parse(Array(run.text.utf8)) }
        }
    }

    @Test(arguments: [
        "q\"\\uo/te\u{7}é😀-secret", "https://user:pässword@host/?x=1", "1234567890",
        "\\\"\\\"\\\"\\\"",
    ])
    func jsonStaysJSONWhateverTheSecret(secret: String) throws {
        let writer = JSON.string(secret).serialized
        let escaped = String(writer.dropFirst().dropLast())
        let texts = [
            #"{"a":\#(writer),"b":["\#(escaped)\#(escaped)"]}"#,
            #"{"\#(escaped)":"n\n\#(escaped.replacing("/", with: "\\/"))\u00e9"}"#,
            #"{"n":[91234567890,1234567890,-1234567890.5],"s":"x\#(escaped)"}"#,
            #"{"n":"\nabcdefgh\u0041","x":"\\n"}"#,
        ]
        for text in texts {
            for size in 1...text.utf8.count {
                let run = try MaskedRun(
                    text, size: size, secrets: [secret, "nabcdefgh", "0041\",\"x\":\"\\"])
                #expect(throws: Never.self, "\(size) \(run.text)") {
                    try JSON.parse(Array(run.text.utf8))
                }
                #expect(run.hidesPieces(of: escaped))
            }
        }
    }

    @Test func provisionalMasksAreRestored() throws {
        let token = MaskingBodyTests.token
        for length in 1..<token.utf8.count {
            let beginning = String(token.prefix(length))
            for rest in ["!", "tok-", beginning] {
                let body = "say \(beginning)\(rest) and more"
                let cut = 4 + length
                let run = try MaskedRun(body, cuts: [cut], secrets: [token])
                #expect(run.text == body)
                #expect(run.reveals == (length < 6 ? 0 : 1))
                #expect(run.map.masks.values.joined().isEmpty)
                #expect(run.provisional == (length < 6 ? 0 : 1))
            }
        }
    }

    @Test func aTailThatNothingContradictsStaysMasked() throws {
        let run = try MaskedRun("say tok-Abc/98", cuts: [11], secrets: [MaskingBodyTests.token])
        #expect(run.text == "say **********")
        #expect(run.map.masks.values.flatMap(\.self).allSatisfy { $0.provisional == nil })
    }

    @Test func aSecretThatBeginsAnother() throws {
        let secrets = ["abcdefgh", "abcdefghijklmnop", "ghijklmnopqrst"]
        for body in ["abcdefghijklmnopqrst.", "abcdefghijk.abcdefgh", "abcdefghijklmnopqrs."] {
            for size in 1...body.utf8.count {
                let run = try MaskedRun(body, size: size, secrets: secrets)
                for secret in secrets where body.contains(secret) {
                    #expect(run.hidesPieces(of: secret), "\(size) \(run.text)")
                }
                #expect(run.text.last == "." || body.last != ".")
            }
        }
    }

    @Test func withoutASecretNothingChanges() throws {
        let body = #"{"a":"tok-","b":[1,2],"c":"\u00e9"}"#
        for size in 1...body.utf8.count {
            let run = try MaskedRun(body, size: size, secrets: [MaskingBodyTests.token])
            #expect(run.text == body)
            #expect(run.frames.allSatisfy { $0.kind == .responseBody })
        }
    }

    @Test func aDeclaredValueIsKnownFromThenOn() throws {
        var redactor = Redactor()
        redactor.open(exchange: 1, sensitive: SensitivePaths(request: ["auth"]))
        let body = Array(#"{"auth":"first-secret","again":"first-secret"}"#.utf8)
        let frames = redactor.redact(.requestBody(body), exchange: 1, time: 0, frame: 4)
        #expect(
            frames[0].payload == Array(#"{"auth":"************","again":"************"}"#.utf8))
        #expect(try frames.masks().map(\.rule) == ["json:auth", "known"])
        #expect(try frames.masks().map(\.secret) == [1, 1])
        let note = redactor.redact(.note("first-secret"), exchange: 0, time: 0, frame: 7)
        #expect(note[0].payload == Array(#"{"text":"************"}"#.utf8))
    }

    @Test func plainSocketFrames() throws {
        var redactor = Redactor()
        redactor.declare(MaskingBodyTests.token)
        let record = SocketFrameRecord(
            flags: .fin, opcode: 1, bytes: Array("<\(MaskingBodyTests.token)>".utf8))
        let frames = redactor.redact(.socketFrame(record), exchange: 1, time: 0, frame: 4)
        #expect(
            frames[0].payload == [2, 1] + Array("<\(Masking.stars(MaskingBodyTests.token))>".utf8))
        #expect(try frames.masks().map(\.offset) == [3])
    }
}
