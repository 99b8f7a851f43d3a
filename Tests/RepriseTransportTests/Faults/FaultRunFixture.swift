import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// What a body gave under faults, in a line: each delivery as text and time, then the end.
struct FaultedRun: Sendable {
    var text: String
    /// What an observer was told of the body.
    var told: String
    /// The faults that did nothing.
    var unstruck: [Fault]

    /// Reads one response of a recording on virtual time.
    ///
    /// - Parameter isDecoded: Whether the deliveries are told decoded.
    init(
        _ recording: Recording, _ faults: [String], request: Request = get(),
        isDecoded: Bool = false, cancelledAt: Int64? = nil
    ) async throws {
        let time = VirtualTime()
        let list = try faults.map { try Fault($0) }
        (text, told, unstruck) = try await time.run {
            let replay = ReplayTransport(recording: recording, time: time)
            let observer = KeptEvents()
            let transport = FaultTransport(base: replay, faults: list)
            var parts: [String] = []
            do throws(TransportError) {
                let response = try await transport.send(request, observer: observer)
                if response.head.status != 200 { parts.append("\(response.head.status)") }
                if let cancelledAt {
                    replay.context.startTask {
                        try await replay.clock.sleep(for: cancelledAt - replay.clock.now())
                        response.body.cancel()
                    }
                }
                let codings = isDecoded ? response.head.headers.contentCodings : []
                let decoder = try? ContentDecoder(codings: codings)
                for try await delivery in response.body {
                    let bytes = (try? decoder?.push(delivery.bytes)) ?? []
                    parts.append(FaultedRun.shown(bytes, delivery.time))
                    #expect(replay.clock.now() >= delivery.time)
                }
                parts.append("complete@\(replay.clock.now())")
            } catch {
                parts.append("\(error.how.rawValue)@\(replay.clock.now())")
            }
            return (
                parts.joined(separator: " "), FaultedRun.told(observer.events),
                transport.unstruck
            )
        }
    }

    private static func shown(_ bytes: [UInt8], _ time: Int64) -> String {
        let text = bytes.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "<\($0)>" }.joined()
        return "[" + text.replacing("\n", with: "¶") + "]@\(time)"
    }

    static func told(_ events: [KeptEvents.Event]) -> String {
        events.compactMap { event -> String? in
            switch event.content {
            case .response(let head): head.status == 200 ? nil : "\(head.status)"
            case .responseBody(let bytes): shown(bytes, event.time)
            case .end(let end): "\(end.how.rawValue)@\(event.time)"
            default: nil
            }
        }.joined(separator: " ")
    }
}
