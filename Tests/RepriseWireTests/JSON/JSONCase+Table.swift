extension JSONCase {
    static let all = scalars + strings + encodings + structures + errors + escapes + depths

    static let scalars: [JSONCase] = [
        .good("null"), .good("true"), .good("false"), .good(" \t\r\n null \t\r\n ", "null"),
        .good("0"), .good("-0"), .good("1"), .good("-1"), .good("10"), .good("1234567890"),
        .good("0.0"), .good("-0.5"), .good("1.25"), .good("0e0"), .good("0E+1"), .good("0e-1"),
        .good("1e5"), .good("1E5"), .good("1e+05"), .good("1e-00"), .good("12.5e+10"),
        .good("1e400"), .good("-1e-400"), .good("123456789012345678901234567890"),
        .good("0.00000000000000000000000000000000000001"), .good("[1 ]", "[1]"),
        .bad("nul", 3), .bad("nulL", 3), .bad("tru", 3), .bad("truE", 3), .bad("True", 0),
        .bad("fals", 4), .bad("falsy", 4), .bad("nullx", 4), .bad("truefalse", 4), .bad("n", 1),
        .bad("-", 1), .bad("+1", 0), .bad("01", 1), .bad("-01", 2), .bad("00", 1), .bad("1.", 2),
        .bad(".5", 0), .bad("-.5", 1), .bad("1.e1", 2), .bad("1e", 2), .bad("1e+", 3),
        .bad("1e-", 3), .bad("1ee1", 2), .bad("1e1.5", 3), .bad("1.2.3", 3), .bad("--1", 1),
        .bad("1-", 1), .bad("1+1", 1), .bad("0x1", 1), .bad("1_000", 1), .bad("NaN", 0),
        .bad("Infinity", 0), .bad("-Infinity", 1), .bad("1 2", 2), .bad("1,", 1), .bad("1a", 1),
        .bad("[1.]", 3), .bad("[-]", 2), .bad("[1e]", 3), .bad("[01]", 2), .bad("\u{ff11}", 0),
    ]

    static let strings: [JSONCase] = [
        .good(#""""#), .good(#""a""#), .good(#""12345678""#), .good(#""1234567890abcdef""#),
        .good(#"" !#$%&'()*+,-./09:;<=>?@AZ[]^_`az{|}~""#), .good("\"\u{7f}\""),
        .good("\"\u{e9}\""), .good("\"\u{20ac}\""), .good("\"\u{1f600}\""), .good("\"\u{2028}\""),
        .good("\"\u{feff}\""), .good("\"\u{fffe}\u{ffff}\u{10ffff}\""),
        .good("\"a\u{e9}b\u{20ac}c\""),
        .good("\"e\u{301}\""), .good("\"\u{80}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{10000}\""),
        .bad("\"", 1), .bad("\"abc", 4), .bad("'a'", 0), .bad("abc", 0), .bad("\"a\"b", 3),
        .bad("\"a\"\"b\"", 3), .bad("\"a\nb\"", 2), .bad("\"a\tb\"", 2), .bad("\"\0\"", 1),
        .bad("\"12345678\u{1f}\"", 9), .bad("\"1234567\u{1f}\"", 8), .bad("\"123\u{1}456789\"", 4),
    ]

    static let escapes: [JSONCase] = [
        .good(#""\"""#), .good(#""\\""#), .good(#""\/""#, #""/""#), .good(#""\b\f\n\r\t""#),
        .good(#""\u0041""#, #""A""#), .good(#""\u00e9""#, "\"\u{e9}\""),
        .good(#""\u00E9""#, "\"\u{e9}\""), .good(#""\u20ac""#, "\"\u{20ac}\""),
        .good(#""\u0000""#), .good(#""\u001f""#), .good(#""\u001F""#, #""\u001f""#),
        .good(#""\u0022\u005c""#, #""\"\\""#), .good(#""\u000a""#, #""\n""#),
        .good(#""\ud83d\ude00""#, "\"\u{1f600}\""), .good(#""\uD83D\uDE00""#, "\"\u{1f600}\""),
        .good(#""\ud800\udc00\udbff\udfff""#, "\"\u{10000}\u{10ffff}\""),
        .good(#""\uffff\ufffe\ufeff""#, "\"\u{ffff}\u{fffe}\u{feff}\""),
        .good(#""a\nb\\c""#), .good(#""\\u0041""#), .good(#""\\\u0041""#, #""\\A""#),
        .good(#""\ud83d""#, "\"\u{fffd}\""), .good(#""\ude00""#, "\"\u{fffd}\""),
        .good(#""\ud83dx\ude00""#, "\"\u{fffd}x\u{fffd}\""),
        .good(#""\ude00\ud83d""#, "\"\u{fffd}\u{fffd}\""),
        .good(#""\ud83d\ud83d\ude00""#, "\"\u{fffd}\u{1f600}\""),
        .good(#""\ud83d\u0041""#, "\"\u{fffd}A\""), .good(#""\ud83d\n""#, "\"\u{fffd}\\n\""),
        .good(#""\ud83d\ude00\ude00""#, "\"\u{1f600}\u{fffd}\""),
        .bad(#""\""#, 3), .bad(#""\"#, 2), .bad(#""\x41""#, 2), .bad(#""\a""#, 2),
        .bad(#""\0""#, 2), .bad(#""\U0041""#, 2), .bad(#""\'""#, 2), .bad("\"\\\n\"", 2),
        .bad(#""\u""#, 3), .bad(#""\u0""#, 4), .bad(#""\u00""#, 5), .bad(#""\u004""#, 6),
        .bad(#""\u004g""#, 6), .bad(#""\u 041""#, 3), .bad(#""\u+041""#, 3), .bad(#""\u-041""#, 3),
        .bad(#""\u{41}""#, 3), .bad(#""\u00"#, 5), .bad(#""\ud83d\u""#, 9), .bad(#""\ud83d\x""#, 8),
        .bad("\"\\\u{e9}\"", 2), .bad(#"\n"#, 0), .bad(#"{"\x":1}"#, 3),
    ]

    static let encodings: [JSONCase] = [
        .raw([0x80], .error(1)), .raw([0xBF], .error(1)), .raw([0xC0, 0x80], .error(1)),
        .raw([0xC1, 0xBF], .error(1)), .raw([0xC2], .error(2)), .raw([0xC2, 0x20], .error(2)),
        .raw([0xC2, 0xC2], .error(2)), .raw([0xE0, 0x80, 0x80], .error(2)),
        .raw([0xE0, 0x9F, 0xBF], .error(2)), .raw([0xE0, 0xA0], .error(3)),
        .raw([0xED, 0xA0, 0x80], .error(2)), .raw([0xED, 0xBF, 0xBF], .error(2)),
        .raw([0xEF, 0xBF], .error(3)), .raw([0xF0, 0x80, 0x80, 0x80], .error(2)),
        .raw([0xF0, 0x8F, 0xBF, 0xBF], .error(2)), .raw([0xF0, 0x9F, 0x98], .error(4)),
        .raw([0xF4, 0x90, 0x80, 0x80], .error(2)), .raw([0xF5, 0x80, 0x80, 0x80], .error(1)),
        .raw([0xFE], .error(1)), .raw([0xFF], .error(1)), .raw([0x61, 0xE9, 0x62], .error(3)),
        .raw([0xF0, 0x9F, 0x5C, 0x6E], .error(3)), .raw([0xFF, 0xFE, 0x22, 0x00], .error(1)),
        JSONCase(text: [0xEF, 0xBB, 0xBF, 0x31], expected: .error(0)),
        JSONCase(text: [0x20, 0xEF, 0xBB, 0xBF, 0x31], expected: .error(1)),
        JSONCase(text: [0xFF, 0xFE, 0x31, 0x00], expected: .error(0)),
        JSONCase(text: [0x00, 0x31], expected: .error(0)),
        JSONCase(text: [0x31, 0x00], expected: .error(1)),
        JSONCase(text: [0xE9], expected: .error(0)),
        JSONCase(text: [0x5B, 0xFF, 0x5D], expected: .error(1)),
    ]

    static let structures: [JSONCase] = [
        .good("[]"), .good("{}"), .good("[ ]", "[]"), .good("{ }", "{}"), .good("[[]]"),
        .good("[{}]"), .good("[[],[]]"), .good("[1,2,3]"), .good("[ 1 , 2 ]", "[1,2]"),
        .good(#"{"a":1}"#), .good(#"{"a":1,"b":2}"#), .good(#"{"b":2,"a":1}"#),
        .good(#"{"a":1,"a":2}"#), .good(#"{"":""}"#), .good(#" { "a" : [ ] } "#, #"{"a":[]}"#),
        .good(#"{"a":{"b":{"c":[null,true,false,0,"x"]}}}"#), .good("[\n\t1\r\n]\n", "[1]"),
        .good(#"[0,-1,"a",{"k":[1.5e3]},null]"#), .good(#"{"\u0061":1}"#, #"{"a":1}"#),
        .good(#"[true,{"x":false}]"#), .good("[[[[[[[[[[]]]]]]]]]]"), .good("[1,\"\",[],{}]"),
        .good(#"{"key with spaces":"v"}"#), .good("{\"\u{e9}\":\"\u{1f600}\"}"),
    ]

    static let errors: [JSONCase] = [
        .bad("", 0), .bad("   ", 3), .bad("[", 1), .bad("{", 1), .bad("]", 0), .bad("}", 0),
        .bad("[}", 1), .bad("{]", 1), .bad("[1", 2), .bad("[1,", 3), .bad("[1,]", 3),
        .bad("[,1]", 1),
        .bad("[1,,2]", 3), .bad("[1 2]", 3), .bad("[1:2]", 2), .bad("[1}", 2), .bad("[]]", 2),
        .bad("[][]", 2), .bad("[] x", 3), .bad("{1:1}", 1), .bad("{a:1}", 1), .bad(#"{"a"}"#, 4),
        .bad(#"{"a" 1}"#, 5), .bad(#"{"a":}"#, 5), .bad(#"{"a":1"#, 6), .bad(#"{"a":1,"#, 7),
        .bad(#"{"a":1,}"#, 7), .bad(#"{,"a":1}"#, 1), .bad(#"{"a":1 "b":2}"#, 7),
        .bad(#"{"a"::1}"#, 5),
        .bad(#"{"a",1}"#, 4), .bad(#"{"a":1]"#, 6), .bad(#"{"a":1}}"#, 7), .bad("[1]//x", 3),
        .bad("/**/1", 0), .bad("[1]#", 3), .bad("{'a':1}", 1), .bad("[\u{a0}1]", 1),
        .bad("[1\u{c}]", 2),
        .bad("\u{b}1", 0), .bad("[nul]", 4), .bad("[tru,1]", 4), .bad("(1)", 0), .bad(":", 0),
        .bad(",", 0),
        .bad("[\"a\",\"b]", 8), .bad("{null:1}", 1), .bad("{[]:1}", 1), .bad("data: {}", 0),
        .bad("[DONE]", 1),
    ]

    static let depths: [JSONCase] = [
        .good(nested(1024)), .bad(nested(1025), 1024),
        JSONCase(text: Array(repeating: 0x5B, count: 3000), expected: .error(1024)),
        JSONCase(text: Array(repeating: 0x5B, count: 1000), expected: .error(1000)),
    ]

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
}
