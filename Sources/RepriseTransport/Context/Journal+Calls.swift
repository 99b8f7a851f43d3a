internal import RepriseTape
public import RepriseWire

extension Journal {
    /// An operation of a client that has not introduced itself begins.
    ///
    /// - Returns: Its number in the session, from 1.
    public func beginCall(_ op: String, args: JSON) -> UInt64 {
        beginCall(op, args: args, client: nil)
    }

    /// The operation `call` ended well.
    ///
    /// - Parameter result: What it returned; null for nothing.
    public func endCall(_ call: UInt64, result: JSON) {
        record(.call(CallRecord(call: call, result: result)))
    }

    /// The operation `call` failed.
    public func endCall(_ call: UInt64, error: any Error) {
        record(.call(CallRecord(call: call, error: CallFailure(error).json)))
    }

    /// Runs an operation and journals its beginning and its end, cancellation included.
    ///
    /// - Parameters:
    ///   - op: The operation, e.g. `sendMessage`.
    ///   - args: Its arguments; enough of them to run it again.
    ///   - client: The client, where it has introduced itself.
    ///   - result: The value in the form that goes on the tape.
    ///   - body: The operation, told its number.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @discardableResult
    public func withCall<Value>(
        op: String, args: JSON, client: UInt64? = nil, result: (Value) -> JSON,
        isolation: isolated (any Actor)? = #isolation, body: (UInt64) async throws -> Value
    ) async throws -> Value {
        let call = beginCall(op, args: args, client: client)
        do {
            let value = try await body(call)
            endCall(call, result: result(value))
            return value
        } catch {
            endCall(call, error: error)
            throw error
        }
    }

    /// Runs an operation that returns nothing and journals its beginning and its end.
    ///
    /// - Throws: What `body` throws.
    public func withCall(
        op: String, args: JSON, client: UInt64? = nil,
        isolation: isolated (any Actor)? = #isolation,
        body: (UInt64) async throws -> Void
    ) async throws {
        try await withCall(
            op: op, args: args, client: client, result: { _ in .null }, isolation: isolation,
            body: body)
    }
}

extension SessionContext {
    /// Runs an operation and journals its beginning and its end, cancellation included; see
    /// ``Journal/withCall(op:args:client:result:isolation:body:)``.
    @discardableResult
    public func withCall<Value>(
        op: String, args: JSON, client: UInt64? = nil, result: (Value) -> JSON,
        isolation: isolated (any Actor)? = #isolation, body: (UInt64) async throws -> Value
    ) async throws -> Value {
        try await journal.withCall(
            op: op, args: args, client: client, result: result, isolation: isolation, body: body)
    }

    /// Runs an operation that returns nothing and journals its beginning and its end.
    public func withCall(
        op: String, args: JSON, client: UInt64? = nil,
        isolation: isolated (any Actor)? = #isolation,
        body: (UInt64) async throws -> Void
    ) async throws {
        try await journal.withCall(
            op: op, args: args, client: client, isolation: isolation, body: body)
    }
}
