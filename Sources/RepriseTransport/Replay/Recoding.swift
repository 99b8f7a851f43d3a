internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

extension Recording.Exchange {
    /// The events, with a body that was kept decoded coded again, so that it is what the head
    /// says it is.
    ///
    /// A body that is partly decoded is coded again as a whole: one deflate stream cannot go on in
    /// the middle of another. Each delivery is flushed, so the cuts stay; the stream is finished
    /// where the exchange ended complete. A body whose coding is none of gzip and deflate stays
    /// decoded.
    var codedEvents: [Recording.Event] {
        let isPartlyDecoded = events.contains { $0.content.kind == .decodedBody }
        let codings = response?.headers.contentCodings ?? []
        guard isPartlyDecoded, !codings.isEmpty, let coder = Recoder(codings),
            let decoder = try? ContentDecoder(codings: codings)
        else { return events }
        var coded = events
        let last = events.lastIndex { [.responseBody, .decodedBody].contains($0.content.kind) }
        for index in events.indices {
            let plain: [UInt8]
            switch events[index].content {
            case .responseBody(let bytes):
                guard let decoded = try? decoder.push(bytes) else { return events }
                plain = decoded
            case .decodedBody(let bytes): plain = bytes
            default: continue
            }
            let isEnd = index == last && end?.how == .complete
            coded[index].content = .responseBody(coder.push(plain, isEnd: isEnd))
        }
        return coded
    }
}

/// Applies content codings again, flushing at every cut.
private final class Recoder {
    private let stages: [Deflate]

    /// - Parameter codings: In the order applied; nil for one that is not known.
    init?(_ codings: [String]) {
        var stages: [Deflate] = []
        for coding in codings {
            switch coding {
            case "gzip", "x-gzip": stages.append(Deflate(.gzip))
            case "deflate": stages.append(Deflate(.zlib))
            default: return nil
            }
        }
        self.stages = stages
    }

    func push(_ bytes: [UInt8], isEnd: Bool) -> [UInt8] {
        stages.reduce(bytes) { bytes, stage in
            var coded: [UInt8] = []
            stage.push(bytes, flush: isEnd ? .finish : .sync, into: &coded)
            return coded
        }
    }
}
