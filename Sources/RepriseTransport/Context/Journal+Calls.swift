internal import RepriseTape
public import RepriseWire

extension Journal {
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
    ///   - result: The value in the form that goes on the tape.
    ///   - body: The operation, told its number.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    @discardableResult
    public func withCall<Value>(
        op: String, args: JSON, result: (Value) -> JSON,
        isolation: isolated (any Actor)? = #isolation, body: (UInt64) async throws -> Value
    ) async throws -> Value {
        let call = beginCall(op, args: args)
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
        op: String, args: JSON, isolation: isolated (any Actor)? = #isolation,
        body: (UInt64) async throws -> Void
    ) async throws {
        try await withCall(
            op: op, args: args, result: { _ in .null }, isolation: isolation, body: body)
    }
}

extension SessionContext {
    /// Runs an operation and journals its beginning and its end, cancellation included; see
    /// ``Journal/withCall(op:args:result:isolation:body:)``.
    @discardableResult
    public func withCall<Value>(
        op: String, args: JSON, result: (Value) -> JSON,
        isolation: isolated (any Actor)? = #isolation, body: (UInt64) async throws -> Value
    ) async throws -> Value {
        try await journal.withCall(
            op: op, args: args, result: result, isolation: isolation, body: body)
    }

    /// Runs an operation that returns nothing and journals its beginning and its end.
    public func withCall(
        op: String, args: JSON, isolation: isolated (any Actor)? = #isolation,
        body: (UInt64) async throws -> Void
    ) async throws {
        try await journal.withCall(op: op, args: args, isolation: isolation, body: body)
    }
}
