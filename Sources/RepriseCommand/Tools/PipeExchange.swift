#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Writes a program's input while its output is read, so that neither waits for the other for ever.
struct PipeExchange {
    private var input: ArraySlice<UInt8>
    private var writing: Int32
    private let reading: Int32
    private let limit: Int
    private(set) var output: [UInt8] = []
    /// Whether more came than the limit; reading stopped there.
    private(set) var isOverLimit = false

    /// Takes over both descriptors, which ``run()`` closes.
    init(input: [UInt8], into writing: Int32, from reading: Int32, limit: Int) {
        self.input = input[...]
        self.writing = writing
        self.reading = reading
        self.limit = limit
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    }

    /// Blocks until the output has ended or has reached its limit.
    mutating func run() {
        defer {
            closeInput()
            close(reading)
        }
        if input.isEmpty { closeInput() }
        while !isOverLimit {
            var ends = [
                pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: writing, events: Int16(POLLOUT), revents: 0),
            ]
            // A negative descriptor is passed over (POSIX poll).
            guard unsafe poll(&ends, 2, -1) >= 0 else {
                if errno == EINTR { continue }
                return
            }
            if ends[1].revents != 0 { write() }
            if ends[0].revents != 0, !read() { return }
        }
    }

    private mutating func write() {
        let count = unsafe input.withUnsafeBytes { bytes in
            #if canImport(Darwin)
            unsafe Darwin.write(writing, bytes.baseAddress, bytes.count)
            #else
            unsafe Glibc.write(writing, bytes.baseAddress, bytes.count)
            #endif
        }
        if count > 0 {
            input.removeFirst(count)
        } else if count < 0, errno != EAGAIN, errno != EINTR {
            // It does not want to know.
            input = []
        }
        if input.isEmpty { closeInput() }
    }

    /// Whether there may be more.
    private mutating func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            #if canImport(Darwin)
            unsafe Darwin.read(reading, bytes.baseAddress, bytes.count)
            #else
            unsafe Glibc.read(reading, bytes.baseAddress, bytes.count)
            #endif
        }
        if count < 0 { return errno == EINTR }
        output += buffer[..<count]
        isOverLimit = output.count > limit
        return count > 0
    }

    private mutating func closeInput() {
        if writing >= 0 { close(writing) }
        writing = -1
    }
}
