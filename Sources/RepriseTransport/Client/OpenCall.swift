internal import RepriseSupport
package import RepriseWire

/// An operation in the journal that is open for as long as something holds it.
///
/// It ends once: with a result, with an error, or as cancelled when it is dropped.
package final class OpenCall: Sendable {
    /// Its number in the journal.
    package let number: UInt64
    private let journal: any Journal
    private let isOpen = Locked(true)

    /// Begins the operation.
    ///
    /// - Parameter client: The client, where it has introduced itself.
    package init(_ op: String, args: JSON, client: UInt64? = nil, journal: any Journal) {
        self.journal = journal
        number = journal.beginCall(op, args: args, client: client)
    }

    deinit { end(.failure(CancellationError())) }

    /// Ends the operation, if it has not ended.
    package func end(_ outcome: Result<JSON, any Error>) {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return }
        switch outcome {
        case .success(let result): journal.endCall(number, result: result)
        case .failure(let error): journal.endCall(number, error: error)
        }
    }
}
