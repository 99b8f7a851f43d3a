internal import RepriseSupport
package import RepriseTape
internal import RepriseWire

/// What a client has told its journal about itself.
package final class ClientNotice: Sendable {
    private struct Told {
        var secrets: Set<String> = []
        var config: JSONObject?
        var number: UInt64?
    }

    private let told = Locked(Told())

    /// A client that has told nothing.
    package init() {}

    /// Tells the journal the secrets before anything can hold them, and the configuration at first
    /// use and whenever it has changed, so that the client can be built again.
    ///
    /// - Returns: The number by which its operations name it from now on.
    @discardableResult
    package func tell(
        _ journal: any Journal, _ client: ClientRecord, secrets: [String]
    ) -> UInt64 {
        told.withLock { told in
            for secret in secrets where told.secrets.insert(secret).inserted {
                journal.declareSecret(secret)
            }
            if let number = told.number, told.config == client.config { return number }
            let number = journal.addClient(client)
            told.number = number
            told.config = client.config
            return number
        }
    }
}
