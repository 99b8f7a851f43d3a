internal import RepriseTape
public import RepriseWire

/// An error that a program can tell from others by a stable name, also in another process.
///
/// A client's operation that fails is journaled with this name; a replay must fail with the same.
public protocol CodedError: Error {
    /// A stable dotted name, e.g. `transport.reset`.
    var errorCode: String { get }
    /// What happened and what to do, without bodies, header values or credentials.
    var message: String { get }
}

extension TransportError: CodedError {
    /// The name of its code.
    public var errorCode: String { code.rawValue }
}

/// The failure of an operation as the journal tells it: `{"code":…,"message":…}`.
public struct CallFailure: Sendable, Hashable {
    /// The code of an operation that the app stopped, whatever error told so.
    public static let cancelledCode = "cancelled"

    /// Whether an operation with that code was stopped by the app: `cancelled`, also below a
    /// client's own prefix as in `ago.cancelled`.
    public static func isCancellation(code: String) -> Bool {
        code == cancelledCode || code.hasSuffix("." + cancelledCode)
    }

    /// The stable name.
    public var code: String
    /// What happened.
    public var message: String

    /// What the journal tells of `error`.
    ///
    /// An error without a code of its own is told by the name of its type alone, since its text
    /// may hold anything.
    public init(_ error: any Error) {
        if error is CancellationError || (error as? TransportError)?.how == .cancelled {
            self.init(code: Self.cancelledCode, message: "the operation was cancelled")
        } else if let error = error as? any CodedError {
            self.init(code: error.errorCode, message: error.message)
        } else {
            self.init(code: "unknown", message: "an error of type \(type(of: error))")
        }
    }

    private init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// The object on the tape.
    public var json: JSON { ["code": .string(code), "message": .string(message)] }
}
