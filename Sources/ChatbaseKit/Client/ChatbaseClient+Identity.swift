import RepriseTransport
import RepriseWire

extension ChatbaseClient {
    /// Has the service check a user's token, and signs the user in.
    ///
    /// - Parameter token: A JWT that the app's own server made.
    /// - Throws: ``APIError`` with the code `AUTH_INVALID_JWT` where the token is refused; who was
    ///   signed in before stays so.
    public func identify(token: String) async throws {
        tell(secrets: [token])
        let args: JSON = ["token": .string(Masking.stars(token))]
        let nothing = { (_: String?) in JSON.null }
        let userId = try await operation("identify", args, result: nothing) { operation in
            var request = try operation.request("POST", "verify", body: ["token": .string(token)])
            request.sensitive.request = ["token"]
            // The service's iOS kit makes nothing of what a success says.
            let body = try await operation.send(request) { try await $0.collected() }
            return (try? JSON.parse(body))?.value["data"]?["userId"]?.string
        }
        sign(in: token, userId: userId)
    }

    /// Signs the user out: conversations belong to the device again, and none is current.
    public func logout() {
        guard let identity = try? identity() else { return sign(in: nil, userId: nil) }
        let call = context.journal.beginCall(
            "logout", args: [:], client: identity.client)
        sign(in: nil, userId: nil)
        context.journal.endCall(call, result: .null)
    }
}
