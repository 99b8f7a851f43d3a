import RepriseTape
import RepriseTransport
import RepriseWire

/// One operation of a client: what its requests have in common, and how they are sent.
struct AgoOperation: Sendable {
    let client: AgoClient
    let identity: AgoIdentity
    /// Its number in the journal.
    let call: UInt64

    var context: SessionContext { client.context }

    /// A request to `path`, its header fields in the order of the service's samples.
    func request(
        _ method: String, _ path: String, body: [UInt8] = [], contentType: String? = nil,
        accept: String? = nil
    ) throws(AgoError) -> Request {
        var headers = Headers()
        headers.append("X-User-Anon-Id", identity.widgetId)
        headers.append("Origin", client.origin)
        if let token = identity.authToken { headers.append("Authorization", "Bearer \(token)") }
        if let email = identity.email { headers.append("X-Widget-Email", email) }
        if let contentType { headers.append("Content-Type", contentType) }
        if let accept { headers.append("Accept", accept) }
        headers.append("Accept-Encoding", "gzip, deflate")
        if let name = headers.firstUnusable {
            throw AgoError(.badArgument, "the value for \(name) holds a control character")
        }
        if let fault = BaseURL.fault(in: client.baseURL) {
            throw AgoError(.badArgument, "the base URL \(fault)")
        }
        return Request(
            method: method, url: client.baseURL + path, headers: headers, body: body, call: call,
            timeouts: client.options.timeouts)
    }

    /// Sends `request` and gives its response to `read`, again after a failure of the network
    /// where repeating is safe.
    func send<Value>(
        _ request: Request, isolation: isolated (any Actor)? = #isolation,
        _ read: (Response) async throws -> Value
    ) async throws -> Value {
        try await client.transport.send(request, retry: client.options.retry, read)
    }

    /// The document in the answer to `request`.
    func document<Value: Decodable>(
        _ type: Value.Type, _ request: Request, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Value {
        try await send(request) { response in
            let body = try await response.collected()
            try check(response.head, body)
            do throws(JSONDocument.Failure) {
                return try JSONDocument.decode(type, from: body)
            } catch {
                throw unreadable(response.head, error)
            }
        }
    }

    /// Throws what the status stands for where it is no success.
    func check(_ head: ResponseRecord, _ body: [UInt8]) throws(AgoError) {
        let error = AgoError(head, body: body, mode: client.mode, secrets: identity.secrets)
        if let error { throw error }
    }

    private func unreadable(_ head: ResponseRecord, _ failure: JSONDocument.Failure) -> AgoError {
        let type = head.headers.mediaType
        var error = AgoError(
            .badResponse, "the service's answer cannot be read: \(failure.message)")
        if failure.isNotJSON, let type, !type.hasSuffix("json") {
            error = AgoError(
                .unexpectedContentType,
                "the service answered with another type of content than JSON; check the base URL")
        }
        error.status = head.status
        return error
    }
}
