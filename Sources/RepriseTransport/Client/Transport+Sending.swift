internal import RepriseTape
package import RepriseWire

extension Transport {
    /// Sends `request` and gives its response to `read`, again after a failure of the network
    /// where repeating is safe; the waits between are drawn as `backoff`.
    package func send<Value>(
        _ request: Request, retry: RetryPolicy, isolation: isolated (any Actor)? = #isolation,
        _ read: (Response) async throws -> Value
    ) async throws -> Value {
        var attempt = 1
        while true {
            do {
                return try await read(try await send(request))
            } catch let error as TransportError
                where retry.repeats(request, after: error, attempt: attempt)
            {
                let limit = retry.delayLimit(after: attempt)
                let delay = context.drawDelay(call: request.call ?? 0, limit: limit) {
                    Int64.random(in: 0...limit)
                }
                try await context.clock.sleep(for: delay)
                attempt += 1
            }
        }
    }
}

extension SessionContext {
    /// A wait before a request is sent again, in nanoseconds.
    ///
    /// - Parameter limit: The longest one; a value on a tape may be anything.
    package func drawDelay(
        call: UInt64, limit: Int64, _ make: @escaping @Sendable () -> Int64
    ) -> Int64 {
        let text = entropy.draw("backoff", call: call) { String(make()) }
        return min(max(Int64(text) ?? limit, 0), limit)
    }
}

extension Headers {
    /// The name of the first field whose value holds a control character, which could begin a
    /// field of its own.
    package var firstUnusable: WireText? {
        fields.first { $0.value.bytes.contains { $0 < 0x20 || $0 == 0x7F } }?.name
    }
}
