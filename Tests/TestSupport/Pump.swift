import RepriseProcess

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Moves bytes to and from a child until its output ends.
struct Pump {
    let child: SpawnedProcess
    var input: [UInt8]
    let kill: Command.Kill?
    let signal: Int32
    let deadline: Int64
    let killTime: Int64?
    var result = Command.Result(ending: .exited(0))

    private var inputOpen = true
    private var outputOpen = true
    private var errorsOpen = true
    private var errors: Int32 { child.errors ?? -1 }

    init(
        child: SpawnedProcess, input: [UInt8], kill: Command.Kill?, signal: Int32, timeout: Double
    ) {
        self.child = child
        self.input = input
        self.kill = kill
        self.signal = signal
        let now = Workspace.monotonic
        deadline = now + Int64(timeout * 1e9)
        if case .after(let nanoseconds) = kill {
            killTime = now + nanoseconds
        } else {
            killTime = nil
        }
    }

    /// Runs to the end of output; false where the deadline came first.
    mutating func run() -> Bool {
        defer { closeAll() }
        var killed = false
        while outputOpen || errorsOpen {
            let now = Workspace.monotonic
            if now >= deadline {
                _ = kill(child.pid, with: SIGKILL)
                return false
            }
            if !killed, isKillDue(now) {
                killed = kill(child.pid, with: signal)
            }
            step(until: killed ? deadline : min(deadline, killTime ?? deadline), now)
        }
        return true
    }

    private func kill(_ pid: pid_t, with signal: Int32) -> Bool {
        #if canImport(Darwin)
        Darwin.kill(pid, signal) == 0
        #else
        Glibc.kill(pid, signal) == 0
        #endif
    }

    private func isKillDue(_ now: Int64) -> Bool {
        if let killTime { return now >= killTime }
        if case .output(let count) = kill { return result.output.count >= count }
        return false
    }

    private mutating func step(until time: Int64, _ now: Int64) {
        var polls = [
            pollfd(fd: outputOpen ? child.output : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errorsOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: inputOpen ? child.input : -1, events: Int16(POLLOUT), revents: 0),
        ]
        let milliseconds = max(0, time - now) / 1_000_000
        if milliseconds == 0 { Self.pause(max(0, time - now)) }
        _ = unsafe poll(&polls, 3, Int32(min(milliseconds, 60_000)))
        if polls[0].revents != 0 { readOutput() }
        if polls[1].revents != 0 { errorsOpen = Self.read(errors, into: &result.errors) }
        if polls[2].revents != 0 { writeInput() }
    }

    /// The part of a wait that is too short for `poll`.
    private static func pause(_ nanoseconds: Int64) {
        var time = timespec(tv_sec: 0, tv_nsec: Int(nanoseconds))
        unsafe nanosleep(&time, nil)
    }

    private mutating func readOutput() {
        outputOpen = Self.read(child.output, into: &result.output)
        if outputOpen { result.reads.append((Workspace.monotonic, result.output.count)) }
    }

    private mutating func writeInput() {
        // A write of a page never blocks where poll said that one fits.
        let part = Array(input.prefix(4096))
        let count = unsafe part.withUnsafeBytes {
            unsafe write(child.input, $0.baseAddress, $0.count)
        }
        if count > 0 { input.removeFirst(count) }
        if count < 0 || input.isEmpty {
            close(child.input)
            inputOpen = false
        }
    }

    private static func read(_ end: Int32, into bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        #if canImport(Darwin)
        let count = unsafe Darwin.read(end, &buffer, buffer.count)
        #else
        let count = unsafe Glibc.read(end, &buffer, buffer.count)
        #endif
        guard count > 0 else { return count < 0 && errno == EINTR }
        bytes += buffer[..<count]
        return true
    }

    private mutating func closeAll() {
        if inputOpen { close(child.input) }
        close(child.output)
        if errors >= 0 { close(errors) }
        inputOpen = false
    }
}
