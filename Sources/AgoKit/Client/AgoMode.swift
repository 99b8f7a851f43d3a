/// How a client signs in; a session never mixes the two.
enum AgoMode: String, Sendable {
    /// With the token of a user who has an account.
    case jwt
    /// As an anonymous user, known by the widget id alone.
    case widget
}

/// Who a request comes from.
struct AgoIdentity: Sendable {
    var widgetId: String
    var authToken: String?
    var email: String?

    /// What may appear nowhere but in a request.
    var secrets: [String] { [widgetId, authToken].compactMap { $0 } }
}
