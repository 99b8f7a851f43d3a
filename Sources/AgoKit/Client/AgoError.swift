import RepriseTape
public import RepriseTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why an operation of the AGO client failed.
public struct AgoError: CodedError, LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// A stable dotted name for programs to switch on.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name.
        public var rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// 401: the token is invalid or expired.
        public static let unauthorized = Code(rawValue: "ago.unauthorized")
        /// 403: the origin is not in the list of allowed domains.
        public static let forbidden = Code(rawValue: "ago.forbidden")
        /// 404: there is no such thing, or not for this user.
        public static let notFound = Code(rawValue: "ago.notFound")
        /// 429: too many requests; see ``AgoError/retryAfter``.
        public static let rateLimited = Code(rawValue: "ago.rateLimited")
        /// 500 to 599: the service failed.
        public static let server = Code(rawValue: "ago.server")
        /// Any other status that is no success.
        public static let http = Code(rawValue: "ago.http")
        /// The stream said `ERROR`: the answer could not be made.
        public static let messageFailed = Code(rawValue: "ago.messageFailed")
        /// The stream ended before the answer did, or was cut.
        public static let streamCut = Code(rawValue: "ago.streamCut")
        /// The stream held nothing at all.
        public static let emptyReply = Code(rawValue: "ago.emptyReply")
        /// The answer is no event stream.
        public static let unexpectedContentType = Code(rawValue: "ago.unexpectedContentType")
        /// The answer is not the document that was asked for.
        public static let badResponse = Code(rawValue: "ago.badResponse")
        /// The service could not be reached; see ``AgoError/transport``.
        public static let transport = Code(rawValue: "ago.transport")
        /// An argument or a setting cannot be used.
        public static let badArgument = Code(rawValue: "ago.badArgument")
        /// The installation's widget id could not be read or kept.
        public static let widgetId = Code(rawValue: "ago.widgetId")
        /// The app stopped the operation.
        public static let cancelled = Code(rawValue: CallFailure.cancelledCode)
    }

    /// What kind of failure.
    public var code: Code
    /// What happened and what to do, without bodies, header values or credentials.
    public var message: String
    /// The status of the response, where there was one.
    public var status: Int?
    /// The service's own code, where its answer has one; at most 200 characters.
    public var serverCode: String?
    /// The service's own words, where its answer has them; at most 200 characters, credentials
    /// masked.
    public var serverMessage: String?
    /// How many seconds the service asks to wait before the next request.
    public var retryAfter: Int?
    /// What came of the answer before it failed.
    public var partialMessage: Message?
    /// The failure of the exchange that is behind it.
    public var transport: TransportError?

    /// A failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The name of its code.
    public var errorCode: String { code.rawValue }
    /// The message.
    public var description: String { message }
    /// The message.
    public var errorDescription: String? { message }
}

extension AgoError {
    /// The failure of an exchange before its response was there.
    init(_ error: TransportError) {
        if error.how == .cancelled {
            self = .cancelled
        } else {
            self.init(.transport, error.message)
            transport = error
        }
    }

    static let cancelled = AgoError(.cancelled, "the operation was cancelled")
}
