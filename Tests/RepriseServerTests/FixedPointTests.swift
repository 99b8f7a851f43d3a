import RepriseCurl
import RepriseServer
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Record, serve, record again: the second tape equals the first.
@Suite struct FixedPointTests {
    static let names =
        (try? FileManager.default.contentsOfDirectory(
            atPath: "\(Workspace.root)/Recordings"))?
        .filter { $0.hasSuffix(".tape") }.sorted() ?? []

    @Test func thereAreRecordings() { #expect(Self.names.count >= 24) }

    @Test(arguments: names)
    func secondTape(name: String) async throws {
        let first = try Recording(path: "\(Workspace.root)/Recordings/\(name)")
        try #require(first.exchanges.allSatisfy { $0.request.transport == .http })
        let serving = try Serving.start(first)
        let folder = try TemporaryFolder()
        let recorder = try TapeRecorder(path: folder.file("second.tape"))
        let transport = RecordingTransport(
            base: CurlTransport(options: CurlOptions(proxy: .none)), recorder: recorder)
        for exchange in first.exchanges {
            try await repeatExchange(exchange, over: transport, at: serving.server.url)
        }
        try recorder.close()
        await serving.server.stop()
        #expect(serving.misses.withLock { $0 } == [])
        let second = try Recording(path: folder.file("second.tape"))
        try #require(second.exchanges.count == first.exchanges.count)
        for (old, new) in zip(first.exchanges, second.exchanges) { compare(old, new) }
    }

    /// Sends the recorded request again, and reads as far as was recorded.
    private func repeatExchange(
        _ exchange: Recording.Exchange, over transport: RecordingTransport, at url: String
    ) async throws {
        let own = exchange.request.headers.fields.filter { field in
            !["host", "content-length"].contains(field.name.description.lowercased())
        }
        let request = Request(
            method: exchange.request.method, url: url + path(exchange), headers: Headers(own),
            body: exchange.requestBody)
        do throws(TransportError) {
            let response = try await transport.send(request)
            let count = exchange.deliveries.reduce(0) { $0 + $1.bytes.count }
            var received = 0
            var iterator = response.body.makeAsyncIterator()
            while exchange.end != nil || received < count, let delivery = try await iterator.next()
            {
                received += delivery.bytes.count
            }
            response.body.cancel()
        } catch {
            #expect(exchange.end?.how == error.how)
        }
    }

    private func compare(_ old: Recording.Exchange, _ new: Recording.Exchange) {
        #expect(new.request.method == old.request.method)
        #expect(path(new) == path(old))
        #expect(kept(new.request.headers) == kept(old.request.headers))
        #expect(new.requestBody == old.requestBody)
        #expect(new.response?.status == old.response?.status)
        #expect(new.response?.reason == old.response?.reason)
        #expect(kept(new.response?.headers) == kept(old.response?.headers))
        #expect(new.deliveries.map(\.bytes) == old.deliveries.map(\.bytes))
        #expect(new.deliveries.map(\.isDecoded) == old.deliveries.map(\.isDecoded))
        guard let end = old.end else { return }
        #expect(new.end?.how == end.how)
        #expect(new.end?.code == end.code)
        #expect(new.end?.framing == end.framing)
        #expect(new.end?.proven == end.proven)
        #expect(words(new.end?.message) == words(end.message))
    }

    private func path(_ exchange: Recording.Exchange) -> String {
        let parts = exchange.request.url.description
            .split(separator: "/", omittingEmptySubsequences: false)
        return "/" + parts.dropFirst(3).joined(separator: "/")
    }

    private func kept(_ headers: Headers?) -> [String] {
        (headers?.fields ?? [])
            .filter { !["host", "date", "connection"].contains($0.name.description.lowercased()) }
            .map { "\($0.name): \($0.value)" }
    }

    /// A message without the address at its beginning.
    private func words(_ message: String?) -> String? {
        message.map { String($0.drop { $0 != " " }) }
    }
}
