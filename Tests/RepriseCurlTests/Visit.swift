import RepriseCurl
import RepriseTape
import RepriseTransport

/// One exchange read to its end.
struct Visit {
    var head: ResponseRecord?
    var deliveries: [Delivery] = []
    var error: TransportError?
    let witness: Witness

    var body: [UInt8] { deliveries.flatMap(\.bytes) }
    var text: String { String(decoding: body, as: UTF8.self) }
    var cuts: [String] { deliveries.map { String(decoding: $0.bytes, as: UTF8.self) } }
    var end: EndRecord? { witness.end }

    /// Sends a request and reads to the end, whatever that is.
    ///
    /// - Parameter step: Called with each delivery before the next is asked for.
    static func make(
        _ request: Request, through transport: CurlTransport = .direct,
        each step: (Delivery) async throws -> Void = { _ in }
    ) async throws -> Visit {
        var visit = Visit(witness: Witness())
        do throws(TransportError) {
            let response = try await transport.send(request, observer: visit.witness)
            visit.head = response.head
            var iterator = response.body.makeAsyncIterator()
            while let delivery = try await iterator.next() {
                visit.deliveries.append(delivery)
                do { try await step(delivery) } catch { throw visit.stopped(error) }
            }
        } catch {
            visit.error = error
        }
        return visit
    }

    private func stopped(_ error: any Error) -> TransportError {
        TransportError(how: .failed, .failed, "the test's own step failed: \(error)")
    }
}

extension CurlTransport {
    /// Without a proxy, whatever the environment of the tests says.
    static let direct = CurlTransport(options: CurlOptions(proxy: .none))
}
