import AgoKit
import RepriseTape
import RepriseTransport
import Testing

@Suite struct AgoRetryPolicyTests {
    struct Row: Sendable {
        var code: TransportError.Code
        var how = EndRecord.How.failed
        var get: Bool
        var post: Bool
    }

    @Test(arguments: [
        Row(code: .resolve, get: true, post: true), Row(code: .connect, get: true, post: true),
        Row(code: .proxy, get: true, post: true), Row(code: .tls, get: true, post: true),
        Row(code: .connectTimeout, how: .timedOut, get: true, post: true),
        Row(code: .reset, how: .reset, get: true, post: false),
        Row(code: .idleTimeout, how: .timedOut, get: true, post: false),
        Row(code: .malformed, get: true, post: false),
        Row(code: .badRequest, get: false, post: false),
        Row(code: .cancelled, how: .cancelled, get: false, post: false),
        Row(code: .contentCoding, get: false, post: false),
        Row(code: .recorderDied, get: false, post: false),
        Row(code: .noSuchRequest, get: false, post: false),
        Row(code: .consumed, get: false, post: false),
    ])
    func repeatsWhatIsSafe(_ row: Row) {
        let policy = AgoRetryPolicy()
        let error = TransportError(how: row.how, row.code, "")
        for (method, repeats) in [("GET", row.get), ("POST", row.post)] {
            let request = Request(method: method, url: "http://h/")
            #expect(policy.repeats(request, after: error, attempt: 1) == repeats)
            #expect(policy.repeats(request, after: error, attempt: 2) == repeats)
            #expect(!policy.repeats(request, after: error, attempt: 3))
            #expect(!AgoRetryPolicy.never.repeats(request, after: error, attempt: 1))
        }
    }

    @Test(arguments: [
        (1, 500), (2, 1_000), (3, 2_000), (4, 4_000), (5, 8_000), (6, 8_000), (200, 8_000),
    ])
    func doublesTheWaitUpToALimit(attempt: Int, milliseconds: Int64) {
        #expect(AgoRetryPolicy().delayLimit(after: attempt) == milliseconds * 1_000_000)
    }

    @Test(arguments: [
        (Int64(0), Int64(9), Int64(0)), (-1, 9, 0), (9, -1, 0), (9, 0, 0), (9, 4, 4),
        (Int64.max, Int64.max, Int64.max),
    ])
    func takesAnyLimits(base: Int64, maximum: Int64, limit: Int64) {
        let policy = AgoRetryPolicy(baseDelay: base, maximumDelay: maximum)
        for attempt in [1, 2, 70] {
            let found = policy.delayLimit(after: attempt)
            #expect(found >= 0 && found <= max(0, maximum))
            if attempt == 1 { #expect(found == limit) }
        }
    }
}
