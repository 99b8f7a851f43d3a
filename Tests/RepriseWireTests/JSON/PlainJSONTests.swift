import RepriseWire
import Testing

/// The reader of plain texts against that of all texts.
struct PlainJSONTests {
    private enum Outcome: Equatable {
        case document(JSON.Document)
        case error(JSON.ParseError)
    }

    private static func outcome(
        _ parse: ([UInt8]) throws(JSON.ParseError) -> JSON.Document, _ text: [UInt8]
    ) -> Outcome {
        do throws(JSON.ParseError) {
            return .document(try parse(text))
        } catch {
            return .error(error)
        }
    }

    /// Texts that have what a tape's lines have, and what they should not.
    private static let texts: [[UInt8]] =
        JSONCase.all.map(\.text)
        + [
            #"{"kind":"responseBody","x":1,"t":110,"text":"data: {\"a\": \"é\\n\"}\n\n"}"#,
            #" { "a" : [ 1 , -2.5e+3 , true , null ] , "b" : { } , "c" : [ ] } "#,
            #"{"a":1,"a":2}"#, #"{"\u0061":1,"a":2}"#, #"{"é":1,"é":2}"#,
            #"["\ud83d\ude00","\ud83d","\ude00\ud83d","\ud83dx","\ud83d\u0041"]"#,
            #"{"k":"\ud83d\ude00 \/ \b\f\t"}"#, "{\"a\u{7F}\":\"\u{1F600}漢字\"}",
            String(repeating: "[", count: 70) + String(repeating: "]", count: 70),
            "{" + (0..<40).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}",
        ].map { Array($0.utf8) }

    @Test(arguments: texts.indices) func readsAsTheTokenizerDoes(_ index: Int) {
        let text = Self.texts[index]
        for variant in Self.variants(of: text) {
            let plain = Self.outcome(JSON.parse, variant)
            #expect(
                plain == Self.outcome(JSON.parseTokens, variant),
                "\(String(decoding: variant, as: UTF8.self))")
        }
    }

    @Test(arguments: texts.indices) func findsMembersWhereTheyAre(_ index: Int) throws {
        for variant in Self.variants(of: Self.texts[index]) {
            guard let places = JSON.plainMembers(variant) else { continue }
            let value = try JSON.parseTokens(variant).value
            let object = try #require(value.object)
            let members = try places.map { place in
                let key = try JSON.parseTokens(Array(variant[place.key])).value.string
                let value = try JSON.parseTokens(Array(variant[place.value])).value
                return JSONObject.Member(try #require(key), value)
            }
            #expect(members == object.members)
        }
    }

    @Test func findsTheMembersOfALine() throws {
        let text = Array(#"{"kind":"end","x":1, "t": 2 ,"how":"\ud83d"}"#.utf8)
        let places = try #require(JSON.plainMembers(text))
        let parts = places.map {
            [$0.key, $0.value].map { String(decoding: text[$0], as: UTF8.self) }
        }
        #expect(
            parts == [
                [#""kind""#, #""end""#], [#""x""#, "1"], [#""t""#, "2"],
                [#""how""#, #""\ud83d""#],
            ])
    }

    /// The text, its beginnings, and the text with each of its bytes replaced by bytes that matter.
    private static func variants(of text: [UInt8]) -> [[UInt8]] {
        var variants = [text]
        if text.count > 200 { return variants }
        variants += text.indices.map { Array(text[..<$0]) }
        for index in text.indices {
            for byte in Array("\"\\{}[],:0eu ".utf8) + [0x00, 0x1F, 0x80, 0xC3, 0xED, 0xFF] {
                var variant = text
                variant[index] = byte
                variants.append(variant)
            }
        }
        return variants
    }
}
