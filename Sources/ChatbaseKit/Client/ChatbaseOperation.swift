import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire

/// One operation of a client: what its requests have in common, and how they are sent.
struct ChatbaseOperation: Sendable {
    let client: ChatbaseClient
    let identity: ChatbaseIdentity
    /// Its number in the journal.
    let call: UInt64

    /// A request to a path below the agent's.
    ///
    /// - Parameter segments: The path's segments, not escaped.
    func request(
        _ method: String, _ segments: String..., query: String = "", body: JSONObject? = nil,
        accept: String = "application/json"
    ) throws(ChatError) -> Request {
        if let fault = BaseURL.fault(in: client.baseURL) {
            throw .invalidURL("the base URL \(fault)")
        }
        let segments = ["agents", client.agentId] + segments
        var headers = Headers()
        headers.append("User-Agent", client.options.userAgent)
        headers.append("X-Device-Id", identity.deviceId)
        if let token = identity.token { headers.append("X-User-Token", token) }
        if body != nil { headers.append("Content-Type", "application/json") }
        headers.append("Accept", accept)
        headers.append("Accept-Encoding", "gzip, deflate")
        if let name = headers.firstUnusable {
            throw .invalidURL("the value for \(name) holds a control character")
        }
        return Request(
            method: method, url: client.baseURL + (try path(segments)) + query, headers: headers,
            body: body.map { JSON.object($0).serializedBytes } ?? [], call: call,
            timeouts: client.options.timeouts)
    }

    private func path(_ segments: [String]) throws(ChatError) -> String {
        var path = ""
        for segment in segments {
            guard let escaped = PathSegment.escaped(segment) else {
                throw .invalidURL("an id cannot be empty, '.' or '..'")
            }
            path += "/" + escaped
        }
        return path
    }

    /// Sends `request` and gives its response to `read`.
    ///
    /// - Throws: ``APIError`` for a status that is no success, and what `read` throws.
    func send<Value>(
        _ request: Request, isolation: isolated (any Actor)? = #isolation,
        _ read: (Response) async throws -> Value
    ) async throws -> Value {
        try await client.transport.send(request, retry: client.options.retry) { response in
            if !(200..<300).contains(response.head.status) {
                let body = try await response.collected()
                if let error = APIError(response.head, body: body, secrets: identity.secrets) {
                    throw error
                }
            }
            return try await read(response)
        }
    }

    /// The document in the answer to `request`.
    func document<Value: Decodable>(
        _ type: Value.Type, _ request: Request, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Value {
        try await send(request) { response in
            let body = try await response.collected()
            do throws(JSONDocument.Failure) {
                let isStrict = client.options.mode == .strict
                return try JSONDocument.decode(
                    type, from: body, info: isStrict ? CodingUserInfoKey.strictInfo : [:])
            } catch {
                throw ChatError.decodingFailed(error.message)
            }
        }
    }
}

extension ChatbaseClient {
    /// Runs an operation under its number in the journal; its failures leave as the client's own.
    func operation<Value: Sendable>(
        _ op: String, _ args: JSON, isolation: isolated (any Actor)? = #isolation,
        result: (Value) -> JSON, _ body: (ChatbaseOperation) async throws -> Value
    ) async throws -> Value {
        let identity = try identity()
        return try await context.withCall(
            op: op, args: args, client: identity.client, result: result
        ) { call in
            do {
                return try await body(
                    ChatbaseOperation(client: self, identity: identity, call: call))
            } catch {
                throw chatbaseFailure(error)
            }
        }
    }
}
