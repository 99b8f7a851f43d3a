internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

extension Recording.Exchange {
    /// The events, with a body that was kept decoded coded again, so that it is what the head
    /// says it is.
    ///
    /// A body that is partly decoded is coded again as a whole: one deflate stream cannot go on in
    /// the middle of another. Each delivery is flushed, so the cuts stay; the stream is finished
    /// where the exchange ended complete, and is damaged where the recorded one was: it stops, or
    /// goes wrong, behind the last byte that could be decoded. A body whose coding is none of gzip
    /// and deflate stays decoded.
    package var codedEvents: [Recording.Event] {
        let last = events.lastIndex { $0.content.kind == .decodedBody }
        let codings = response?.headers.contentCodings ?? []
        guard let last, !codings.isEmpty, let coder = Recoder(codings),
            let decoder = try? ContentDecoder(codings: codings)
        else { return events }
        var coded = events
        // What follows the last decoded frame could not be decoded, and stays as it is.
        for index in events.indices[...last] {
            let plain: [UInt8]
            switch events[index].content {
            case .responseBody(let bytes):
                guard let decoded = try? decoder.push(bytes) else { return events }
                plain = decoded
            case .decodedBody(let bytes): plain = bytes
            default: continue
            }
            let bytes = index == last ? coder.end(plain, end) : coder.push(plain)
            coded[index].content = .responseBody(bytes)
        }
        return coded
    }
}

/// Applies content codings again, flushing at every cut.
final class Recoder {
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

    func push(_ bytes: [UInt8], isEnd: Bool = false) -> [UInt8] {
        stages.reduce(bytes) { bytes, stage in
            var coded: [UInt8] = []
            stage.push(bytes, flush: isEnd ? .finish : .sync, into: &coded)
            return coded
        }
    }

    /// The last bytes that could be decoded, and what the coding's end was like.
    func end(_ bytes: [UInt8], _ record: EndRecord?) -> [UInt8] {
        switch record?.coding?.kind {
        case nil: push(bytes, isEnd: record?.how == .complete)
        case .truncated: push(bytes)
        // No member of gzip begins so.
        case .trailingBytes: push(bytes, isEnd: true) + [UInt8(ascii: "*")]
        // Behind a flush a block begins; there is none of type 3 (RFC 1951 section 3.2.3).
        case .corrupt, .unsupported, .outputLimit: push(bytes) + [0xFF]
        }
    }
}
