/// An incremental decoder of a body's content codings (RFC 9110 section 8.4.1): `gzip`, `x-gzip`,
/// `deflate` and `identity`, in any stack.
///
/// Everything that the bytes so far allow to decode comes out at once. A body without any byte is
/// taken as empty, whatever its codings. Not thread-safe.
public final class ContentDecoder {
    private let stages: [Stage]
    private let outputLimit: Int
    private var failure: ContentCodingError?
    private var hasBytes = false
    /// Of the push that failed, where in its bytes the fault is, if all that its bytes before it
    /// hold came out; nil where that cannot be told.
    package private(set) var faultOffset: Int?

    /// How many bytes came out.
    public private(set) var count = 0

    /// A decoder for codings in the order in which they were applied, as `Content-Encoding` and
    /// ``Headers/contentCodings`` have them.
    ///
    /// - Parameter outputLimit: How many bytes one push may decode to, against bodies made to
    ///   fill memory.
    /// - Throws: An error of kind `unsupported` that names the coding.
    public init(codings: [String], outputLimit: Int = .max) throws(ContentCodingError) {
        var stages: [Stage] = []
        for coding in codings.reversed() {
            switch coding.lowercased() {
            case "identity": break
            case "gzip", "x-gzip": stages.append(Stage(GzipDecoder(), "gzip"))
            case "deflate": stages.append(Stage(DeflateDecoder(), "deflate"))
            default:
                throw ContentCodingError(
                    kind: .unsupported, coding: String(coding.prefix(40)), offset: 0, detail: "")
            }
        }
        self.stages = stages
        self.outputLimit = outputLimit
    }

    /// Decodes the next bytes.
    ///
    /// - Throws: What is wrong. What was decoded before it in the same push comes out first: the
    ///   error is then thrown by the next call.
    public func push(_ bytes: [UInt8]) throws(ContentCodingError) -> [UInt8] {
        var output: [UInt8] = []
        do {
            try push(bytes, into: &output)
        } catch {
            if output.isEmpty { throw error }
        }
        return output
    }

    /// Decodes the next bytes and appends them to `output`.
    ///
    /// - Throws: What is wrong, when all that was decoded before it is in `output`; the same again
    ///   at every later call.
    public func push(
        _ bytes: [UInt8], into output: inout [UInt8]
    ) throws(ContentCodingError) {
        if let failure { throw failure }
        hasBytes = hasBytes || !bytes.isEmpty
        let before = output.count
        let failed = run(bytes, into: &output)
        count += output.count - before
        if let failed { throw fail(failed.coding, failed.fault) }
    }

    /// Says that no byte follows.
    ///
    /// - Throws: An error of kind `truncated` where a coding did not end, or the one of before.
    public func finish() throws(ContentCodingError) {
        if let failure { throw failure }
        guard hasBytes else { return }
        for stage in stages where !stage.decoder.isComplete {
            throw fail(stage.coding, CodingFault(kind: .truncated))
        }
    }

    /// Sends bytes through all stages; after a fault, what came before it still goes through the
    /// rest.
    private func run(
        _ bytes: [UInt8], into output: inout [UInt8]
    ) -> (coding: String, fault: CodingFault)? {
        var failed: (String, CodingFault)?
        var current = bytes
        for stage in stages {
            var next: [UInt8] = []
            do throws(CodingFault) {
                try stage.decoder.push(current, into: &next, limit: outputLimit)
            } catch {
                // Of two faults the one nearer to the output came first.
                failed = (stage.coding, error)
                let isAlone = stages.count == 1 && error.kind != .outputLimit
                faultOffset = isAlone ? stage.decoder.taken : nil
            }
            current = next
        }
        output.append(contentsOf: current)
        return failed
    }

    private func fail(_ coding: String, _ fault: CodingFault) -> ContentCodingError {
        let error = ContentCodingError(
            kind: fault.kind, coding: coding, offset: count, detail: fault.detail)
        failure = error
        return error
    }

    private struct Stage {
        let decoder: any CodingDecoder
        let coding: String

        init(_ decoder: any CodingDecoder, _ coding: String) {
            self.decoder = decoder
            self.coding = coding
        }
    }
}
