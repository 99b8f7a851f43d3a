import RepriseTape
import RepriseTransport
import RepriseWire

/// One operation of a session, or what its socket asks for: what requests have in common, and how
/// they are sent.
struct CometChatOperation: Sendable {
    let core: SessionCore
    let identity: CometChatIdentity
    /// Its number in the journal; nil for what the socket asks for.
    let call: UInt64?

    /// A request to a path below the base URL.
    ///
    /// - Parameter segments: The path's segments, not escaped.
    func request(
        _ method: String, _ segments: [String], query: String = "", body: JSONObject? = nil,
        key: String? = nil
    ) throws(CometChatException) -> Request {
        if let fault = BaseURL.fault(in: core.baseURL) {
            throw CometChatException(.badArgument, "the base URL \(fault)")
        }
        var headers = Headers()
        headers.append("appId", core.appId)
        if let key { headers.append("apikey", key) }
        if key == nil, let token = identity.authToken { headers.append("authToken", token) }
        headers.append("sdk", core.options.sdk)
        headers.append("resource", identity.deviceId)
        if body != nil { headers.append("Content-Type", "application/json") }
        headers.append("Accept", "application/json")
        headers.append("Accept-Encoding", "gzip, deflate")
        if let name = headers.firstUnusable {
            throw CometChatException(
                .badArgument, "the value for \(name) holds a control character")
        }
        return Request(
            method: method, url: core.baseURL + (try Self.path(segments)) + query,
            headers: headers, body: body.map { JSON.object($0).serializedBytes } ?? [], call: call,
            timeouts: core.options.timeouts)
    }

    private static func path(_ segments: [String]) throws(CometChatException) -> String {
        var path = ""
        for segment in segments {
            guard let escaped = PathSegment.escaped(segment) else {
                throw CometChatException(.badArgument, "an id cannot be empty, '.' or '..'")
            }
            path += "/" + escaped
        }
        return path
    }

    /// What the answer to `request` has as its `data`.
    func data(
        _ request: Request, isolation: isolated (any Actor)? = #isolation
    ) async throws -> JSON {
        try await core.transport.send(request, retry: core.options.retry) { response in
            let body = try await response.collected()
            let secrets = identity.secrets
            if let error = CometChatException(response.head, body: body, secrets: secrets) {
                throw error
            }
            guard let data = (try? JSON.parse(body))?.value["data"] else {
                throw CometChatException(.badReply, "the service's answer has no data")
            }
            return data
        }
    }
}

extension SessionCore {
    /// Runs an operation under its number in the journal; its failures leave as the client's own.
    func operation<Value: Sendable>(
        _ op: String, _ args: JSON, isolation: isolated (any Actor)? = #isolation,
        result: (Value) -> JSON, _ body: (CometChatOperation) async throws -> Value
    ) async throws -> Value {
        let identity = identity()
        return try await context.withCall(
            op: op, args: args, client: identity.client, result: result
        ) { call in
            do {
                return try await body(
                    CometChatOperation(core: self, identity: identity, call: call))
            } catch {
                throw CometChatException.wrapping(error)
            }
        }
    }
}
