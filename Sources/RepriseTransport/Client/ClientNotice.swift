internal import RepriseSupport
package import RepriseTape
internal import RepriseWire

/// What a client has told its journal about itself.
package final class ClientNotice: Sendable {
    private struct Told {
        var secrets: Set<String> = []
        var config: JSONObject?
    }

    private let told = Locked(Told())

    /// A client that has told nothing.
    package init() {}

    /// Tells the journal the secrets before anything can hold them, and the configuration at first
    /// use and whenever it has changed, so that the client can be built again.
    package func tell(_ journal: any Journal, _ client: ClientRecord, secrets: [String]) {
        told.withLock { told in
            for secret in secrets where told.secrets.insert(secret).inserted {
                journal.declareSecret(secret)
            }
            guard told.config != client.config else { return }
            told.config = client.config
            journal.record(.client(client))
        }
    }
}
