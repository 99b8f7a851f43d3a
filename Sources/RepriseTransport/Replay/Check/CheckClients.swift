internal import RepriseTape
internal import RepriseWire

/// The clients of a tape, built in the order in which they were introduced.
struct CheckClients {
    /// Who is to run an operation.
    enum Choice {
        case client(any ClientReplayer)
        /// It could not be built, which is told once and not for each operation.
        case unbuilt
        /// Why there is none.
        case missing(String)
    }

    private let recorded: [Recording.Client]
    private let replayers: [any ClientReplayer.Type]
    private let transport: any Transport
    private var built: [(any ClientReplayer)?] = []
    /// What is wrong with clients, by the numbers of their frames.
    private(set) var problems: [(frame: UInt64, message: String)] = []

    init(
        _ recorded: [Recording.Client], replayers: [any ClientReplayer.Type],
        transport: any Transport
    ) {
        self.recorded = recorded
        self.replayers = replayers
        self.transport = transport
    }

    /// The client that the operation names; on a tape that names none the latest before it.
    mutating func choose(for call: Recording.Call) -> Choice {
        build(before: call.beginFrame)
        guard let number = call.client else {
            guard let latest = built.last else {
                return .missing("no client was recorded before it")
            }
            return latest.map { .client($0) } ?? .unbuilt
        }
        guard number >= 1, number <= UInt64(built.count) else {
            return .missing("its client, number \(number), was not recorded before it")
        }
        return built[Int(number) - 1].map { .client($0) } ?? .unbuilt
    }

    /// Builds what was introduced before a frame.
    mutating func build(before frame: UInt64) {
        while built.count < recorded.count, recorded[built.count].frame < frame {
            let client = recorded[built.count]
            do throws(Failure) {
                built.append(try build(client.record))
            } catch {
                built.append(nil)
                problems.append((client.frame, error.message))
            }
        }
    }

    private struct Failure: Error { var message: String }

    private func build(_ record: ClientRecord) throws(Failure) -> any ClientReplayer {
        guard let type = replayers.first(where: { $0.client == record.client }) else {
            throw Failure(message: "nobody can run the client \(Shown(record.client))")
        }
        do {
            return try type.init(config: record.config, transport: transport)
        } catch {
            throw Failure(
                message: "the client \(Shown(record.client)) could not be built: "
                    + CallFailure(error).message)
        }
    }
}
