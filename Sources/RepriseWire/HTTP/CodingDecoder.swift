import RepriseSupport

/// What went wrong in one coding.
struct CodingFault: Error {
    let kind: ContentCodingError.Kind
    var detail = ""
}

/// One coding of a stack.
protocol CodingDecoder: AnyObject {
    /// Whether the input so far is a whole body.
    var isComplete: Bool { get }
    /// How many bytes of the last input were taken: where a fault is.
    var taken: Int { get }

    /// Decodes `input` and appends to `output`, at most `limit` bytes; all that comes before a
    /// fault is there when it is thrown.
    func push(
        _ input: [UInt8], into output: inout [UInt8], limit: Int
    ) throws(CodingFault)
}

extension Inflate {
    /// Inflates with faults as they are told to the outside; true where the stream ended.
    func run(
        _ input: [UInt8], from position: inout Int, into output: inout [UInt8], until limit: Int
    ) throws(CodingFault) -> Bool {
        let status: Status
        do throws(Failure) {
            let room = limit.subtractingReportingOverflow(output.count).partialValue
            status = try push(input, from: &position, into: &output, outputLimit: max(0, room))
        } catch {
            throw CodingFault(kind: .corrupt, detail: error.message)
        }
        switch status {
        case .needsInput: return false
        case .ended: return true
        case .outputLimit:
            // The limit may have been met exactly: only another byte breaks it.
            var more: [UInt8] = []
            var fault: CodingFault?
            let ended: Bool
            do throws(Failure) {
                ended = try push(input, from: &position, into: &more, outputLimit: 1) == .ended
            } catch {
                ended = false
                fault = CodingFault(kind: .corrupt, detail: error.message)
            }
            if !more.isEmpty { throw CodingFault(kind: .outputLimit) }
            if let fault { throw fault }
            return ended
        }
    }
}

/// `gzip` (RFC 1952): members one after another.
final class GzipDecoder: CodingDecoder {
    private let inflate = Inflate(.gzip)
    /// Whether a member is open.
    private var isInside = false
    private var hasEnded = false
    /// Whether the first byte of a next member's magic number was seen, and not its second.
    private var isBehindMagic = false
    private(set) var taken = 0

    var isComplete: Bool { hasEnded && !isInside && !isBehindMagic }

    func push(
        _ input: [UInt8], into output: inout [UInt8], limit: Int
    ) throws(CodingFault) {
        var position = 0
        defer { taken = position }
        let end = output.count.addingReportingOverflow(limit)
        while position < input.count || isInside {
            if !isInside {
                guard try beginMember(input, &position) else { return }
                isInside = true
                if isBehindMagic { try feedMagic() }
            }
            let ended = try inflate.run(
                input, from: &position, into: &output,
                until: end.overflow ? .max : end.partialValue)
            guard ended else { return }
            isInside = false
            hasEnded = true
            inflate.reset()
        }
    }

    /// Whether a member begins at `position`; false where that cannot be told yet.
    private func beginMember(_ input: [UInt8], _ position: inout Int) throws(CodingFault) -> Bool {
        // Bytes behind the first member are another one only if they look like it; whether the
        // first one is one the inflater says.
        guard hasEnded else { return true }
        if !isBehindMagic {
            guard input[position] == 0x1F else { throw CodingFault(kind: .trailingBytes) }
            isBehindMagic = true
            position += 1
        }
        guard position < input.count else { return false }
        guard input[position] == 0x8B else { throw CodingFault(kind: .trailingBytes) }
        return true
    }

    /// Gives the inflater the byte that was only looked at.
    private func feedMagic() throws(CodingFault) {
        isBehindMagic = false
        var start = 0
        var nothing: [UInt8] = []
        _ = try inflate.run([0x1F], from: &start, into: &nothing, until: .max)
    }
}

/// `deflate`: RFC 1950 as the standard has it, or RFC 1951 alone as some servers send it.
final class DeflateDecoder: CodingDecoder {
    private var inflate: Inflate?
    /// A first byte that alone does not tell the form.
    private var first: UInt8?
    private(set) var isComplete = false
    private(set) var taken = 0

    func push(
        _ input: [UInt8], into output: inout [UInt8], limit: Int
    ) throws(CodingFault) {
        taken = 0
        if input.isEmpty { return }
        if isComplete { throw CodingFault(kind: .trailingBytes) }
        let bytes = first.map { [$0] + input } ?? input
        guard let inflate = inflate ?? choose(bytes) else {
            first = bytes[0]
            return
        }
        self.inflate = inflate
        first = nil
        var position = 0
        defer { taken = max(0, position - (bytes.count - input.count)) }
        let end = output.count.addingReportingOverflow(limit)
        isComplete = try inflate.run(
            bytes, from: &position, into: &output, until: end.overflow ? .max : end.partialValue)
        if isComplete && position < bytes.count { throw CodingFault(kind: .trailingBytes) }
    }

    /// The form that the first bytes show (RFC 1950 section 2.2); nil where one more is needed.
    private func choose(_ bytes: [UInt8]) -> Inflate? {
        let mayBeZlib = bytes[0] & 0x0F == 8 && bytes[0] >> 4 <= 7
        if !mayBeZlib { return Inflate(.raw(windowBits: 15)) }
        guard bytes.count > 1 else { return nil }
        let check = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        return Inflate(check.isMultiple(of: 31) ? .zlib : .raw(windowBits: 15))
    }
}
