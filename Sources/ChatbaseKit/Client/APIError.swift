import RepriseTape
public import RepriseTransport
import RepriseWire

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A failure of the network or of the service.
public enum APIError: CodedError, LocalizedError, Sendable {
    /// What came is not HTTP.
    case invalidResponse
    /// The service answered with a status that is no success.
    case httpError(statusCode: Int, detail: APIErrorDetail)
    /// The request did not get through, or the reply was cut: a
    /// `TransportError`.
    case networkError(any Error)

    /// The service's code, e.g. `CHAT_CREDITS_EXHAUSTED`; `UNKNOWN` where its answer has none; nil
    /// where it did not answer.
    public var apiCode: String? {
        if case .httpError(_, let detail) = self { detail.code } else { nil }
    }

    /// The status, where the service answered.
    public var statusCode: Int? {
        if case .httpError(let status, _) = self { status } else { nil }
    }

    /// A stable dotted name: `chatbase.http.` and the status, or the name of the network's failure.
    public var errorCode: String {
        switch self {
        case .invalidResponse: "chatbase.invalidResponse"
        case .httpError(let status, _): "chatbase.http.\(status)"
        case .networkError(let error): CallFailure(error).code
        }
    }

    /// What happened and what to do.
    public var message: String {
        switch self {
        case .invalidResponse: "what came is not HTTP; check the base URL"
        case .httpError(let status, let detail) where detail.code == APIErrorDetail.noCode:
            "the service answered \(status) without a code; check the base URL"
        case .httpError(let status, let detail): "the service answered \(status): \(detail.code)"
        case .networkError(let error): CallFailure(error).message
        }
    }

    /// The message, and what the service says.
    public var errorDescription: String? {
        guard case .httpError(_, let detail) = self, !detail.message.isEmpty else { return message }
        return "\(message): \(detail.message)"
    }
}

/// What the service says about an error: at most 200 characters each, credentials masked.
public struct APIErrorDetail: Sendable, Hashable {
    /// The code to switch on; `UNKNOWN` where the answer has none.
    public let code: String
    /// Words for developers.
    public let message: String
    /// Which fields were wrong and why.
    public let details: [String: String]?
    /// The id to name to the service's support, where the answer has one.
    public let requestId: String?
    /// How many seconds the service asks to wait before the next request.
    public let retryAfter: Int?

    static let noCode = "UNKNOWN"

    /// Creates a detail.
    public init(
        code: String, message: String, details: [String: String]? = nil,
        requestId: String? = nil, retryAfter: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.details = details
        self.requestId = requestId
        self.retryAfter = retryAfter
    }
}

extension APIError {
    /// The failure that a response stands for; nil for a success.
    init?(_ head: ResponseRecord, body: [UInt8], secrets: [String]) {
        guard !(200..<300).contains(head.status) else { return nil }
        let error = (try? JSON.parse(body))?.value["error"]
        let bounded = { (text: String) in ServiceText.bounded(text, without: secrets) }
        let details = error?["details"]?.object?.members.compactMap { member in
            member.value.string.map { (bounded(member.key), bounded($0)) }
        }
        self = .httpError(
            statusCode: head.status,
            detail: APIErrorDetail(
                code: error?["code"]?.string.map(bounded) ?? APIErrorDetail.noCode,
                message: error?["message"]?.string.map(bounded) ?? "",
                details: details.map { Dictionary($0) { $1 } },
                requestId: head.headers.first("x-request-id").map(bounded),
                retryAfter: head.retryAfter))
    }
}

/// Any failure as one that the client throws: ``APIError``, ``ChatError`` or `CancellationError`.
func chatbaseFailure(_ error: any Error) -> any Error {
    guard let error = error as? TransportError else { return error }
    if error.how == .cancelled { return CancellationError() }
    return error.code == .malformed ? APIError.invalidResponse : APIError.networkError(error)
}
