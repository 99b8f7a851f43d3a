import AgoKit
import ChatbaseKit
import CometChatKit
import RepriseAnalysis
import RepriseSession

/// A recording with something of everything, and the report on it.
enum Sample {
    static let jsonl = """
        {"kind":"session","x":0,"t":0,"version":1,"session":"00000000000000a1","wall":"2026-01-02T03:04:05.000000000Z","recorder":"hand"}
        {"kind":"client","x":0,"t":1000,"client":"ago","config":{}}
        {"kind":"call","x":0,"t":2000,"call":1,"op":"sendMessage","args":{"content":"hi"}}
        {"kind":"request","x":1,"t":3000000,"call":1,"transport":"http","method":"POST","url":"https://chat.example.com/api/sdk/v1/messages?x=1","headers":[["Authorization","Bearer secret-of-ann"]]}
        {"kind":"requestBody","x":1,"t":3100000,"text":"{\\"content\\":\\"hi\\"}"}
        {"kind":"requestEnd","x":1,"t":3200000}
        {"kind":"phases","x":1,"t":3300000,"lookup":100000,"connect":200000,"sent":300000,"reused":false,"protocol":"http/1.1"}
        {"kind":"response","x":1,"t":90000000,"status":200,"version":"1.1","headers":[["Content-Type","text/event-stream"]]}
        {"kind":"responseBody","x":1,"t":91000000,"text":": heartbeat\\n\\ndata: {\\"message_id\\":\\"m7\\",\\"thread\\":{\\"id\\":\\"th3\\"},\\"status\\":\\"IN_PROGRESS\\"}\\n\\n"}
        {"kind":"responseBody","x":1,"t":103000000,"text":"data: {\\"content\\":\\"Reset | it \\"}\\n\\n"}
        {"kind":"responseBody","x":1,"t":113000000,"text":"data: {\\"token\\":\\"secret-of-bob\\", oops\\n\\n"}
        {"kind":"responseBody","x":1,"t":123000000,"text":"data: {\\"tool_call_data\\":true,\\"type\\":\\"client_function\\",\\"id\\":\\"c1\\",\\"function_name\\":\\"look_up\\",\\"arguments\\":{\\"a\\":1}}\\n\\n"}
        {"kind":"responseBody","x":1,"t":133000000,"text":"data: {\\"status\\":\\"DONE\\"}\\n\\n"}
        {"kind":"end","x":1,"t":150000000,"how":"complete","framing":"chunked","proven":true}
        {"kind":"call","x":0,"t":151000000,"call":1,"result":{"id":"m7"}}
        {"kind":"call","x":0,"t":160000000,"call":2,"op":"sendMessage","args":{"content":"again"}}
        {"kind":"request","x":2,"t":160000000,"call":2,"transport":"http","method":"POST","url":"https://chat.example.com/api/sdk/v1/messages","headers":[["Authorization","Bearer secret-of-ann"]]}
        {"kind":"requestEnd","x":2,"t":161000000}
        {"kind":"response","x":2,"t":170000000,"status":200,"version":"1.1","headers":[["Content-Type","text/event-stream"]]}
        {"kind":"responseBody","x":2,"t":180000000,"text":"data: {\\"message_id\\":\\"m8\\",\\"thread\\":{\\"id\\":\\"th3\\"},\\"content\\":\\"No\\"}\\n\\n"}

        """

    static var rules: [Rule] {
        Rule.general + AgoRules.all + ChatbaseRules.all + CometChatRules.all
    }

    static func report(_ options: AnalysisOptions = AnalysisOptions()) throws -> Report {
        let tape = try AnalyzedTape(
            name: "a|b/sample.jsonl", bytes: Array(jsonl.utf8), dialects: [AgoDialect()],
            options: options)
        return Report([tape], rules: rules, options: options, skipped: ["notes.jsonl"])
    }
}
