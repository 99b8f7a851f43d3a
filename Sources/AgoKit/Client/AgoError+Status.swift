import RepriseTape
import RepriseTransport
import RepriseWire

extension AgoError {
    /// The failure that a status stands for; nil for a success.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - body: Its body as far as it came.
    ///   - mode: How the client signs in.
    ///   - secrets: What may not appear in the error.
    init?(_ head: ResponseRecord, body: [UInt8], mode: AgoMode, secrets: [String]) {
        guard !(200..<300).contains(head.status) else { return nil }
        let (code, message) = AgoError.meaning(of: head.status, mode)
        self.init(code, message)
        status = head.status
        retryAfter = head.retryAfter
        let error = (try? JSON.parse(body))?.value["error"]
        serverCode = error?["code"]?.string.map { ServiceText.bounded($0, without: secrets) }
        serverMessage = error?["message"]?.string.map { ServiceText.bounded($0, without: secrets) }
    }

    private static func meaning(of status: Int, _ mode: AgoMode) -> (Code, String) {
        switch status {
        case 401:
            let advice =
                mode == .jwt
                ? "the token is invalid or expired; get a new one and set authToken"
                : "this widget may not be used; check the widget id with the service's settings"
            return (.unauthorized, "the service answered 401: \(advice)")
        case 403:
            return (
                .forbidden,
                "the service answered 403: the origin is not in its list of allowed domains; "
                    + "add it there or correct the origin"
            )
        case 404:
            return (.notFound, "the service answered 404: no such thing, or not for this user")
        case 429:
            return (.rateLimited, "the service answered 429: too many requests; wait and try again")
        case 500..<600:
            return (.server, "the service failed with status \(status); try again later")
        default:
            return (.http, "the service answered with status \(status), which is no success")
        }
    }
}
