import CZlib

/// What a compressed stream is wrapped in.
package enum DeflateFormat: Sendable, Hashable {
    /// RFC 1952, one member at a time.
    case gzip
    /// RFC 1950.
    case zlib
    /// RFC 1951 alone, with a window of 2^bits (8 to 15).
    case raw(windowBits: Int32)

    fileprivate var windowBits: Int32 {
        switch self {
        case .gzip: 15 + 16
        case .zlib: 15
        case .raw(let bits): -bits
        }
    }

    fileprivate var compressingWindowBits: Int32 {
        // zlib cannot compress raw data with a window of 256 bytes (deflateInit2 in zlib.h).
        switch self {
        case .raw(let bits): -max(bits, 9)
        default: windowBits
        }
    }
}

/// An incremental inflater over zlib for one stream (for gzip: one member).
///
/// A class and not a struct because zlib keeps a pointer back to the `z_stream`, which therefore
/// may not move. Not thread-safe.
@safe package final class Inflate {
    /// Why a push returned.
    package enum Status: Equatable, Sendable {
        /// All input was taken; more may come.
        case needsInput
        /// The stream ended; input behind `consumed` was not looked at.
        case ended
        /// `outputLimit` bytes came out and more are waiting: push again from `consumed`.
        case outputLimit
    }

    /// Data that is not of the format.
    package struct Failure: Error, Equatable, Sendable {
        package let message: String
    }

    private let stream: ZlibStream
    private var hasEnded = false

    package init(_ format: DeflateFormat) {
        stream = ZlibStream()
        let code = unsafe reprise_inflate_init(stream.state, format.windowBits)
        // Fails only without memory, or for a library of another version than its header.
        precondition(code == Z_OK, "zlib could not start: code \(code)")
    }

    deinit { _ = unsafe inflateEnd(stream.state) }

    /// Forgets everything and starts a new stream of the same format.
    package func reset() {
        _ = unsafe inflateReset(stream.state)
        hasEnded = false
    }

    /// Whether all input so far made whole blocks up to a byte boundary, so that another stream or
    /// block may begin; only meaningful between pushes (`data_type` of inflate in zlib.h).
    package var isBetweenBlocks: Bool { unsafe stream.state.pointee.data_type & 0xBF == 128 }

    /// Begins a new raw stream that may refer to what the one before it put out.
    package func continueBehindEnd() {
        let window = stream.window
        reset()
        unsafe window.withUnsafeBufferPointer {
            _ = unsafe inflateSetDictionary(stream.state, $0.baseAddress, UInt32($0.count))
        }
    }

    /// Inflates from `input[position...]`, advancing `position` and appending to `output`.
    ///
    /// Everything that can be decoded before corrupt data is in `output` when this throws.
    package func push(
        _ input: [UInt8], from position: inout Int, into output: inout [UInt8],
        outputLimit: Int = .max
    ) throws(Failure) -> Status {
        if hasEnded { return .ended }
        var produced = 0
        while true {
            let room = min(ZlibStream.scratchSize, outputLimit - produced)
            if room <= 0 { return .outputLimit }
            let (code, made) = unsafe stream.step(input, from: &position, room: room, into: &output)
            {
                unsafe inflate($0, Z_SYNC_FLUSH)
            }
            produced += made
            switch code {
            case Z_OK:
                // A full output buffer may hide more output behind consumed input.
                if position >= input.count && made < room { return .needsInput }
            case Z_BUF_ERROR:
                // No progress was possible: the input is used up and the output is flushed.
                return .needsInput
            case Z_STREAM_END:
                hasEnded = true
                return .ended
            case Z_NEED_DICT:
                throw Failure(message: "the stream needs a preset dictionary")
            default:
                throw Failure(message: stream.message ?? "zlib code \(code)")
            }
        }
    }
}

/// A `z_stream` at a fixed address, with room for what it puts out.
@safe private final class ZlibStream {
    static let scratchSize = 32 << 10

    let state: UnsafeMutablePointer<z_stream>
    private let scratch: UnsafeMutablePointer<UInt8>

    init() {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: z_stream())
        unsafe scratch = .allocate(capacity: Self.scratchSize)
    }

    deinit {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
        unsafe scratch.deallocate()
    }

    var message: String? { unsafe state.pointee.msg.map { unsafe String(cString: $0) } }

    /// The bytes that an inflating stream may refer back to.
    var window: [UInt8] {
        var count: UInt32 = 0
        return unsafe [UInt8](unsafeUninitializedCapacity: 32 << 10) { bytes, used in
            _ = unsafe inflateGetDictionary(state, bytes.baseAddress, &count)
            used = Int(count)
        }
    }

    /// One call of zlib: takes what it can of `input` and appends at most `room` bytes.
    func step(
        _ input: [UInt8], from position: inout Int, room: Int, into output: inout [UInt8],
        _ body: (UnsafeMutablePointer<z_stream>) -> Int32
    ) -> (code: Int32, made: Int) {
        let start = position
        var taken = 0
        let code = unsafe input.withUnsafeBufferPointer { source -> Int32 in
            let given = UInt32(clamping: source.count - start)
            let base = unsafe source.baseAddress.map { unsafe $0 + start }
            unsafe state.pointee.next_in = UnsafeMutablePointer(mutating: base)
            unsafe state.pointee.avail_in = given
            unsafe state.pointee.next_out = scratch
            unsafe state.pointee.avail_out = UInt32(room)
            let code = unsafe body(state)
            taken = unsafe Int(given - state.pointee.avail_in)
            unsafe state.pointee.next_in = nil
            return code
        }
        position = start + taken
        let made = unsafe room - Int(state.pointee.avail_out)
        unsafe output.append(contentsOf: UnsafeBufferPointer(start: scratch, count: made))
        return (code, made)
    }
}

/// An incremental deflater over zlib. Not thread-safe.
@safe package final class Deflate {
    /// What to do with what is still inside.
    package enum Flush: Sendable {
        /// Keep it for better compression.
        case none
        /// Put all of it out, on a byte boundary (ends with 00 00 FF FF in raw form).
        case sync
        /// End the stream.
        case finish
    }

    private let stream: ZlibStream

    package init(_ format: DeflateFormat, level: Int32 = 6) {
        stream = ZlibStream()
        let code = unsafe reprise_deflate_init(
            stream.state, level, format.compressingWindowBits)
        precondition(code == Z_OK, "zlib could not start: code \(code)")
    }

    deinit { _ = unsafe deflateEnd(stream.state) }

    /// Forgets everything and starts a new stream of the same format and level.
    package func reset() { _ = unsafe deflateReset(stream.state) }

    /// Deflates all of `input` and appends what comes out to `output`.
    package func push(_ input: [UInt8], flush: Flush, into output: inout [UInt8]) {
        let mode =
            switch flush {
            case .none: Z_NO_FLUSH
            case .sync: Z_SYNC_FLUSH
            case .finish: Z_FINISH
            }
        var position = 0
        var made = 0
        var code = Z_OK
        repeat {
            // Fails only behind the end of the stream, where input goes nowhere.
            (code, made) = unsafe stream.step(
                input, from: &position, room: ZlibStream.scratchSize, into: &output
            ) { unsafe deflate($0, mode) }
        } while made == ZlibStream.scratchSize || (code == Z_OK && position < input.count)
    }
}
