import RepriseSupport
import RepriseTransport
import RepriseWire

/// An operation in the journal that is open for as long as something holds it.
///
/// It ends once: with a result, with an error, or as cancelled when it is dropped.
final class AgoCall: Sendable {
    let number: UInt64
    private let journal: any Journal
    private let isOpen = Locked(true)

    init(_ op: String, args: JSON, journal: any Journal) {
        self.journal = journal
        number = journal.beginCall(op, args: args)
    }

    deinit { end(.failure(.cancelled)) }

    func end(_ outcome: Result<Message, AgoError>) {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return }
        switch outcome {
        case .success(let message): journal.endCall(number, result: AgoDocument.json(message))
        case .failure(let error): journal.endCall(number, error: error)
        }
    }
}
