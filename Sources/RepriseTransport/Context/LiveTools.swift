internal import RepriseTape
internal import RepriseWire

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Tools as they are.
public struct LiveTools: ToolRunner {
    private let others: [String: ToolBody]

    /// Runs tools.
    ///
    /// - Parameter others: Tools by name that take the place of those the app has registered.
    public init(insteadOf others: [String: ToolBody] = [:]) { self.others = others }

    /// Runs the tool to its end.
    ///
    /// One that throws has failed in its error's words, one that throws `CancellationError` or
    /// whose task was cancelled is cancelled, one that is not there is missing.
    public func run(_ run: ToolRun, _ body: ToolBody?) async throws(TransportError) -> ToolAnswer {
        guard let body = others[run.name] ?? body else {
            return .failure(.missing, "the app has no handler for the tool '\(run.name)'")
        }
        do {
            return ToolAnswer(.value, output: try await body(run.input))
        } catch {
            if error is CancellationError || Task.isCancelled { return ToolAnswer(.cancelled) }
            return .failure(.threw, LiveTools.words(error))
        }
    }

    /// The words of an error for people.
    private static func words(_ error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }
}

extension SessionContext {
    /// Runs a tool and journals its beginning and its end.
    ///
    /// - Throws: What the runner throws; nothing is journaled of an end that is not known.
    package func runTool(
        _ run: ToolRun, _ body: ToolBody?
    ) async throws(TransportError) -> ToolAnswer {
        journal.record(
            .tool(
                ToolRecord(
                    call: run.call, id: run.id, name: run.name, state: .started, input: run.input)))
        let answer = try await tools.run(run, body)
        journal.record(
            .tool(
                ToolRecord(
                    call: run.call, id: run.id, name: run.name, state: .finished,
                    outcome: answer.outcome, output: answer.output)))
        return answer
    }
}
