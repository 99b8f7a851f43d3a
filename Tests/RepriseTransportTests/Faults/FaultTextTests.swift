import RepriseTransport
import Testing

/// Faults in words.
@Suite struct FaultTextTests {
    static let table: [(text: String, fault: Fault)] = [
        ("cut", Fault(.cut(.reset))),
        ("cut@event:3", Fault(.cut(.reset), at: .event(3))),
        ("cut@byte:0,end=fin", Fault(.cut(.fin), at: .byte(0))),
        ("stall@byte:120", Fault(.stall(nil), at: .byte(120))),
        ("stall@event:2,for=1500ms", Fault(.stall(1_500_000_000), at: .event(2))),
        ("duplicate@event:1", Fault(.duplicate, at: .event(1))),
        ("reorder@time:7ns", Fault(.reorder, at: .time(7))),
        ("corrupt@byte:9", Fault(.corrupt, at: .byte(9))),
        ("slow@time:2s,delay=50ms", Fault(.delay(50_000_000), at: .time(2_000_000_000))),
        ("slow@factor=2.5", Fault(.slow(2.5))),
        ("status=503@exchange:2", Fault(.status(503, body: ""), in: Fault.Target(exchange: 2))),
        (
            "status=429@method:POST,path:/v1/*,body={\"a\": [1,2]}@,=:",
            Fault(
                .status(429, body: "{\"a\": [1,2]}@,=:"),
                in: Fault.Target(method: "POST", path: "/v1/*"))
        ),
        (
            "cut@time:20us,exchange:1,method:GET,path:*",
            Fault(
                .cut(.reset), at: .time(20_000),
                in: Fault.Target(exchange: 1, method: "GET", path: "*"))
        ),
    ]

    @Test(arguments: table)
    func isReadAndPrinted(row: (text: String, fault: Fault)) throws {
        #expect(try Fault(row.text) == row.fault)
        #expect(row.fault.description == row.text)
    }

    @Test(arguments: [
        ("cut,event:3", "cut@event:3"), ("cut@end=reset", "cut"),
        ("stall@for=0.5s,byte:1", "stall@byte:1,for=500ms"),
        ("status=500,body=", "status=500"), ("slow@factor=3", "slow@factor=3.0"),
    ])
    func otherWordsMeanTheSame(text: String, same: String) throws {
        #expect(try Fault(text).description == same)
    }

    @Test(arguments: [
        (
            "", "its kind is one of cut, stall, duplicate, reorder, corrupt, slow and status=NUMBER"
        ),
        (
            "cute@event:1",
            "its kind is one of cut, stall, duplicate, reorder, corrupt, slow and status=NUMBER"
        ),
        ("cut=1", "cut has no value"),
        ("cut@3", "'3' is neither a place, such as event:3, nor a target or a setting"),
        ("cut@", "'' is neither a place, such as event:3, nor a target or a setting"),
        ("cut@event=3", "'event=3' is written with ':'"),
        ("stall@for:3s", "'for:3s' is written with '='"),
        ("cut@event:-1", "event is a number from 0, not '-1'"),
        ("cut@event:x", "event is a number from 0, not 'x'"),
        ("cut@event:99999999999999999999", "event is a number from 0, not '99999999999999999999'"),
        ("cut@event:1,byte:2", "it has more than one place"),
        ("cut@event:1,event:2", "'event' is there twice"),
        ("cut@time:3", "time is a duration, e.g. 1.5s or 50ms, not '3'"),
        ("cut@time:-3s", "time is a duration, e.g. 1.5s or 50ms, not '-3s'"),
        (
            "cut@time:9999999999999s",
            "time is a duration, e.g. 1.5s or 50ms, not '9999999999999s'"
        ),
        ("cut@end=rst", "end is reset or fin, not 'rst'"),
        ("cut@for=3s", "'for' does not go with cut"),
        ("cut@colour:3", "'colour' does not go with cut"),
        ("duplicate@event:0", "events are counted from 1"),
        ("slow", "slow has either a delay or a factor, e.g. slow@event:1,delay=50ms"),
        (
            "slow@delay=1s,factor=2",
            "slow has either a delay or a factor, e.g. slow@event:1,delay=50ms"
        ),
        ("slow@factor=0.5", "factor is a number from 1, not '0.5'"),
        ("slow@factor=inf", "factor is a number from 1, not 'inf'"),
        ("status", "a status is a number from 200 to 599, e.g. status=503"),
        ("status=101", "a status is a number from 200 to 599, e.g. status=503"),
        (
            "status=503@event:1",
            "a status has no place but an exchange, e.g. status=503@exchange:2"
        ),
        ("cut@exchange:0", "exchange is a number from 1, not '0'"),
        ("cut@path:v1", "path is a path, * for any characters, not 'v1'"),
        ("cut@method:", "method is a method, not ''"),
    ])
    func whatIsWrongIsTold(text: String, reason: String) {
        let error = #expect(throws: FaultSyntaxError.self) { try Fault(text) }
        #expect(error?.message == "'\(text)' is no fault: \(reason)")
    }
}
