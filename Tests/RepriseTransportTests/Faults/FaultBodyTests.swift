import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Every fault at the places of a small recording: which bytes come when, and how it ends.
@Suite struct FaultBodyTests {
    /// The head at 10, three events in deliveries at 20, 30 and 40, the end at 90.
    static let parts = ["data: a\n\n", "data: b\n\nda", "ta: c\n\n"]

    static func body(
        _ coding: String? = nil, headers: String = "", end: String = #""how":"complete""#
    )
        throws -> Recording
    {
        let deflate = coding.map { Deflate($0 == "gzip" ? .gzip : .zlib) }
        let lines = parts.enumerated().map { index, text -> String in
            var bytes = Array(text.utf8)
            if let deflate {
                let plain = bytes
                bytes = []
                deflate.push(plain, flush: index == 2 ? .finish : .sync, into: &bytes)
            }
            let json = WireText(bytes: bytes).json
            let value = json["base64"].map { #""base64":\#($0.serialized)"# }
            return #"{"kind":"responseBody","x":1,"t":\#(20 + 10 * index),"#
                + (value ?? #""text":\#(json.serialized)"#) + "}"
        }
        let header = coding.map { #"["Content-Encoding","\#($0)"]"# } ?? headers
        return try recording(
            exchange(responseHeaders: header, events: lines.joined(separator: "\n"), end: end))
    }

    static let all = "[data: a¶¶]@20 [data: b¶¶da]@30 [ta: c¶¶]@40 complete@90"

    static let table: [(fault: String, outcome: String)] = [
        ("cut", "reset@10"),
        ("cut@event:0", "reset@10"),
        ("cut@event:1", "[data: a¶¶]@20 reset@20"),
        ("cut@event:2", "[data: a¶¶]@20 [data: b¶¶]@30 reset@30"),
        ("cut@event:3", "[data: a¶¶]@20 [data: b¶¶da]@30 [ta: c¶¶]@40 reset@40"),
        ("cut@event:4", all),
        ("cut@byte:9", "[data: a¶¶]@20 reset@20"),
        ("cut@byte:12", "[data: a¶¶]@20 [dat]@30 reset@30"),
        ("cut@byte:99", all),
        ("cut@time:0s", "reset@0"),
        ("cut@time:10ns", "reset@10"),
        ("cut@time:15ns", "reset@15"),
        ("cut@time:25ns", "[data: a¶¶]@20 reset@25"),
        ("cut@time:30ns", "[data: a¶¶]@20 reset@30"),
        ("cut@time:60ns", "[data: a¶¶]@20 [data: b¶¶da]@30 [ta: c¶¶]@40 reset@60"),
        ("cut@time:91ns", all),
        // Only the connection's end delimits this body: it looks whole.
        ("cut@event:1,end=fin", "[data: a¶¶]@20 complete@20"),
        ("stall", "timedOut@120000000010"),
        ("stall@event:1", "[data: a¶¶]@20 timedOut@120000000020"),
        ("stall@byte:12", "[data: a¶¶]@20 [dat]@30 timedOut@120000000030"),
        (
            "stall@event:3",
            "[data: a¶¶]@20 [data: b¶¶da]@30 [ta: c¶¶]@40 timedOut@120000000040"
        ),
        ("stall@time:0s", "timedOut@120000000000"),
        ("stall@time:5ns,for=50ns", "[data: a¶¶]@55 [data: b¶¶da]@55 [ta: c¶¶]@55 complete@90"),
        (
            "stall@event:1,for=15ns",
            "[data: a¶¶]@20 [data: b¶¶da]@35 [ta: c¶¶]@40 complete@90"
        ),
        (
            "stall@time:25ns,for=70ns",
            "[data: a¶¶]@20 [data: b¶¶da]@95 [ta: c¶¶]@95 complete@95"
        ),
        ("stall@event:1,for=121s", "[data: a¶¶]@20 timedOut@120000000020"),
        (
            "slow@delay=5ns", "[data: a¶¶]@25 [data: b¶¶da]@40 [ta: c¶¶]@55 complete@105"
        ),
        (
            "slow@event:1,delay=5ns",
            "[data: a¶¶]@20 [data: b¶¶da]@35 [ta: c¶¶]@50 complete@100"
        ),
        (
            "slow@time:20ns,factor=2",
            "[data: a¶¶]@20 [data: b¶¶da]@40 [ta: c¶¶]@60 complete@160"
        ),
        (
            "slow@event:2,factor=10",
            "[data: a¶¶]@20 [data: b¶¶]@30 [da]@30 [ta: c¶¶]@130 complete@630"
        ),
        (
            "duplicate", "[data: a¶¶]@20 [data: a¶¶]@20 [data: b¶¶da]@30 [ta: c¶¶]@40 complete@90"
        ),
        (
            "duplicate@byte:9",
            "[data: a¶¶]@20 [data: b¶¶da]@30 [data: b¶¶da]@30 [ta: c¶¶]@40 complete@90"
        ),
        (
            "duplicate@time:31ns",
            "[data: a¶¶]@20 [data: b¶¶da]@30 [ta: c¶¶]@40 [ta: c¶¶]@40 complete@90"
        ),
        (
            "duplicate@event:1",
            "[data: a¶¶]@20 [data: a¶¶]@20 [data: b¶¶da]@30 [ta: c¶¶]@40 complete@90"
        ),
        (
            "duplicate@event:2",
            "[data: a¶¶]@20 [data: b¶¶]@30 [data: b¶¶]@30 [da]@30 [ta: c¶¶]@40 complete@90"
        ),
        (
            "duplicate@event:3",
            "[data: a¶¶]@20 [data: b¶¶]@30 [data: c¶¶]@40 [data: c¶¶]@40 complete@90"
        ),
        ("duplicate@event:4", all),
        ("reorder", "[data: b¶¶da]@30 [data: a¶¶]@30 [ta: c¶¶]@40 complete@90"),
        ("reorder@byte:25", "[data: a¶¶]@20 [data: b¶¶da]@30 [ta: c¶¶]@90 complete@90"),
        ("reorder@event:1", "[data: b¶¶]@30 [data: a¶¶]@30 [da]@30 [ta: c¶¶]@40 complete@90"),
        ("reorder@event:2", "[data: a¶¶]@20 [data: c¶¶]@40 [data: b¶¶]@40 complete@90"),
        ("reorder@event:3", "[data: a¶¶]@20 [data: b¶¶]@30 [data: c¶¶]@90 complete@90"),
        ("corrupt", "[data<197> a¶¶]@20 [data: b¶¶da]@30 [ta: c¶¶]@40 complete@90"),
        ("corrupt@byte:0", "[<155>ata: a¶¶]@20 [data: b¶¶da]@30 [ta: c¶¶]@40 complete@90"),
        ("corrupt@byte:20", "[data: a¶¶]@20 [data: b¶¶da]@30 [<139>a: c¶¶]@40 complete@90"),
        ("corrupt@event:1", "[data<197> a¶¶]@20 [data: b¶¶da]@30 [ta: c¶¶]@40 complete@90"),
        ("corrupt@event:3", "[data: a¶¶]@20 [data: b¶¶]@30 [data<197> c¶¶]@40 complete@90"),
        ("status=503", "503 complete@0"),
        ("status=503@body=no", "503 [no]@0 complete@0"),
        ("cut@exchange:2", all),
        ("cut@method:POST", all),
        ("cut@path:/y*", all),
        ("cut@method:GET,path:/*,exchange:1", "reset@10"),
    ]

    @Test(arguments: table)
    func isAsSaid(row: (fault: String, outcome: String)) async throws {
        let run = try await FaultedRun(try Self.body(), [row.fault])
        #expect(run.text == row.outcome)
        // The observer is told what the app gets.
        #expect(run.told == row.outcome)
        #expect(run.unstruck == (try Self.unstruck(row)))
    }

    /// The fault of a row, where it does nothing: it comes too late, it is for others, or nothing
    /// follows what it would swap.
    private static func unstruck(_ row: (fault: String, outcome: String)) throws -> [Fault] {
        let isUnstruck =
            row.outcome == all || ["reorder@byte:25", "reorder@event:3"].contains(row.fault)
        return isUnstruck ? [try Fault(row.fault)] : []
    }

    /// Each is told for itself: one that another one kept from its place, and one given twice.
    @Test(arguments: [
        (["cut@event:1", "stall@event:2"], [1]), (["status=503", "cut"], [1]),
        (["cut@event:9", "duplicate@event:2", "cut@event:9"], [0, 2]),
        (["stall@event:1", "cut@time:1s"], []), (["cut@time:1s", "stall@event:1"], []),
    ])
    func whichOfSeveralStruck(faults: [String], unstruck: [Int]) async throws {
        let run = try await FaultedRun(try Self.body(), faults)
        #expect(run.unstruck.map(\.description) == unstruck.map { faults[$0] })
    }

    /// One that struck anywhere has struck; what was never asked for was never struck.
    @Test func anyExchangeIsEnough() async throws {
        let plan = FaultPlan([try Fault("cut@event:3"), try Fault("status=503@exchange:2")])
        let exchange = try Self.body().exchanges[0]
        #expect(plan.unstruck.count == 2)
        _ = exchange.faulted(plan.take(get()))
        #expect(plan.unstruck.map(\.description) == ["status=503@exchange:2"])
        #expect(plan.take(get()).takeStatus()?.status == 503)
        #expect(plan.unstruck.isEmpty)
    }

    /// What a server plays of the exchange is what a client in the same process gets; a silence
    /// for ever is an end by a limit, and no client's limit is known.
    @Test(
        arguments: table.filter {
            !$0.fault.hasPrefix("status") && !$0.fault.contains("121s")
                && !$0.fault.contains(/exchange|method|path/)
        })
    func aServedExchangeIsAsSaid(row: (fault: String, outcome: String)) async throws {
        let exchange = try Self.body().exchanges[0]
        let plan = FaultPlan([try Fault(row.fault)])
        let events = exchange.faulted(plan.take(get())).events
        #expect(plan.unstruck == (try Self.unstruck(row)))
        let text = FaultedRun.told(events.map { .init(content: $0.content, time: $0.time) })
        if row.outcome.contains("timedOut@") {
            let begun = row.outcome.prefix { _ in true }.split(separator: "timedOut@")[0]
            let wanted = row.outcome.hasPrefix("timedOut") ? "" : String(begun)
            #expect(text.hasPrefix(wanted + "timedOut@"))
        } else {
            #expect(text == row.outcome)
        }
    }

    /// Cut behind each byte: just as many come.
    @Test(arguments: 0...27)
    func aCutAtAByteIsExact(count: Int) async throws {
        let run = try await FaultedRun(try Self.body(), ["cut@byte:\(count)"])
        let text = run.text.replacing(/\]@\d+ ?\[?/, with: "").replacing("[", with: "")
        let all = Self.parts.joined().replacing("\n", with: "¶")
        #expect(text == all.prefix(count) + "reset@" + (run.text.split(separator: "@").last ?? ""))
    }

    /// In a coded body the events are those of the decoded stream; a cut is behind the delivery
    /// that completes the event.
    @Test(
        arguments: ["gzip", "deflate"],
        [
            ("cut@event:1", "[data: a¶¶]@20 reset@20"),
            ("cut@event:2", "[data: a¶¶]@20 [data: b¶¶da]@30 reset@30"),
            (
                "stall@event:2,for=70ns",
                "[data: a¶¶]@20 [data: b¶¶da]@30 [ta: c¶¶]@100 complete@100"
            ),
            (
                "slow@event:1,delay=5ns",
                "[data: a¶¶]@20 [data: b¶¶da]@35 [ta: c¶¶]@50 complete@100"
            ),
            (
                "duplicate@event:2",
                "[data: a¶¶]@20 [data: b¶¶]@30 [data: b¶¶]@30 [da]@30 [ta: c¶¶]@40 []@90 "
                    + "complete@90"
            ),
            (
                "reorder@event:1",
                "[data: b¶¶]@30 [data: a¶¶]@30 [da]@30 [ta: c¶¶]@40 []@90 complete@90"
            ),
            (
                "reorder@event:3",
                "[data: a¶¶]@20 [data: b¶¶]@30 [data: c¶¶]@90 complete@90"
            ),
            (
                "corrupt@event:3",
                "[data: a¶¶]@20 [data: b¶¶]@30 [data<197> c¶¶]@40 []@90 complete@90"
            ),
        ])
    func codedEventsAreCountedDecoded(
        coding: String, row: (fault: String, outcome: String)
    ) async throws {
        let run = try await FaultedRun(try Self.body(coding), [row.fault], isDecoded: true)
        #expect(run.text == row.outcome)
        // What comes is a whole stream of that coding, where it ends whole.
        guard row.outcome.hasSuffix("complete@90") else { return }
        let transport = FaultTransport(
            base: ReplayTransport(recording: try Self.body(coding)),
            faults: [try Fault(row.fault)])
        #expect(try await !transport.send(get()).collected().isEmpty)
    }

    @Test func aFinInsideALengthIsACut() async throws {
        let recording = try Self.body(headers: #"["Content-Length","28"]"#)
        let run = try await FaultedRun(recording, ["cut@event:1,end=fin"])
        #expect(run.text == "[data: a¶¶]@20 reset@20")
    }

    @Test func faultsAreAppliedOneAfterTheOther() async throws {
        let twice = try await FaultedRun(try Self.body(), ["duplicate@event:1", "cut@event:2"])
        #expect(twice.text == "[data: a¶¶]@20 [data: a¶¶]@20 reset@20")
        let late = try await FaultedRun(
            try Self.body(), ["stall@event:1,for=100ns", "cut@time:50ns"])
        #expect(late.text == "[data: a¶¶]@20 reset@50")
    }

    @Test func theNthIsCountedAmongThoseThatFit() async throws {
        let recording = try recording(
            exchange(1, path: "/a") + exchange(2, at: 200, path: "/b")
                + exchange(3, at: 400, path: "/b"))
        let transport = FaultTransport(
            base: ReplayTransport(recording: recording),
            faults: [try Fault("status=500@exchange:2,path:/b")])
        var statuses: [Int] = []
        for path in ["/a", "/b", "/b", "/b"] {
            statuses.append(try await transport.send(get(path)).head.status)
        }
        // The answered request is not passed on: the next attempt gets what was recorded.
        #expect(statuses == [200, 200, 500, 200])
    }

    @Test(arguments: [
        ("*", "/a", true), ("/a", "/a", true), ("/a", "/ab", false), ("/a*", "/ab", true),
        ("*b", "/ab", true), ("/*/c", "/a/b/c", true), ("/*/c", "/a/b", false), ("**", "/", true),
        ("/a*b*c", "/aXbYbZc", true), ("/a*b*c", "/aXcYb", false), ("*", "", true),
    ])
    func pathsArePatterns(pattern: String, path: String, fits: Bool) {
        #expect(Fault.Target(path: pattern).fits(method: "GET", path: path) == fits)
    }

    @Test func theRequestsOwnLimitsHold() async throws {
        var request = get()
        request.timeouts = Timeouts(idle: 7, total: nil)
        let idle = try await FaultedRun(try Self.body(), ["stall@event:1"], request: request)
        #expect(idle.text == "[data: a¶¶]@20 timedOut@30")
        request.timeouts = Timeouts(idle: nil, total: 500)
        let total = try await FaultedRun(try Self.body(), ["stall@event:1"], request: request)
        #expect(total.text == "[data: a¶¶]@20 timedOut@500")
        request.timeouts = Timeouts(idle: nil)
        let day = try await FaultedRun(try Self.body(), ["stall@event:1"], request: request)
        #expect(day.text == "[data: a¶¶]@20 timedOut@86400000000020")
    }

    @Test func whoStopsInASilenceStopsAtOnce() async throws {
        let run = try await FaultedRun(try Self.body(), ["stall@event:1"], cancelledAt: 1_000)
        #expect(run.text == "[data: a¶¶]@20 cancelled@1000")
        #expect(run.told == run.text)
    }

    /// At the pace `instant`, where nobody can wait for a moment, it is the same but for the time
    /// at which a head in vain came.
    @Test(arguments: table.filter { !$0.fault.hasPrefix("cut@time") })
    func itIsTheSameAtOnce(row: (fault: String, outcome: String)) async throws {
        let replay = ReplayTransport(recording: try Self.body())
        let transport = FaultTransport(base: replay, faults: [try Fault(row.fault)])
        let observer = KeptEvents()
        var how = "?"
        do throws(TransportError) {
            let response = try await transport.send(get(), observer: observer)
            how = await read(response.body).error?.how.rawValue ?? "complete"
        } catch {
            how = error.how.rawValue
        }
        #expect(row.outcome.contains(" \(how)@") || row.outcome.hasPrefix("\(how)@"))
        #expect(observer.kinds.filter { $0 == .end }.count == 1)
    }
}
