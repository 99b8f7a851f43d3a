internal import RepriseSupport
internal import RepriseTransport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A thread that does things at their time, and when a socket is ready or its peer has left.
///
/// Any thread may ask; all that is asked for runs on the loop's thread, in the order it was asked.
final class ServerLoop: Sendable {
    typealias Readiness = SocketPoller.Readiness
    typealias Job = @Sendable () -> Void
    typealias SocketJob = @Sendable (Readiness) -> Void

    fileprivate enum Command: Sendable {
        case run(at: Int64, Job)
        case watch(Int32, Readiness, SocketJob)
        case unwatch(Int32)
    }

    private struct Inbox {
        var commands: [Command] = []
        var isSignalled = false
        var isStopping = false
    }

    private let inbox = Locked(Inbox())
    private let poller: SocketPoller
    private let clock = LiveClock()

    /// Starts the thread; nil where the system has no thread or descriptor left.
    init?() {
        guard let poller = SocketPoller() else { return nil }
        self.poller = poller
        guard OwnThread.start(withSignals: false, { [self] in run() }) else { return nil }
    }

    /// Runs `job` at `time` of the monotonic clock, or as soon as possible after it.
    func run(at time: Int64 = .min, _ job: @escaping Job) { post(.run(at: time, job)) }

    /// Runs `job` whenever `socket` is ready for one of `interest`, instead of what was asked for
    /// before. What has been told of a socket that is unwatched may still come once.
    func watch(_ socket: Int32, for interest: Readiness, _ job: @escaping SocketJob) {
        post(.watch(socket, interest, job))
    }

    /// Watches a socket no longer. It may be closed right away: its number can be used again.
    func unwatch(_ socket: Int32) { post(.unwatch(socket)) }

    /// Asks the thread to end, and drops what has not run.
    func stop() {
        inbox.withLock { $0.isStopping = true }
        poller.wake()
    }

    private func post(_ command: Command) {
        let mustWake = inbox.withLock { inbox in
            if inbox.isStopping { return false }
            inbox.commands.append(command)
            defer { inbox.isSignalled = true }
            return !inbox.isSignalled
        }
        if mustWake { poller.wake() }
    }
}

// MARK: - The thread

extension ServerLoop {
    private func run() {
        var timers = TimerQueue()
        var jobs: [Int32: SocketJob] = [:]
        while true {
            let (commands, isStopping) = inbox.withLock { inbox in
                defer {
                    inbox.commands = []
                    inbox.isSignalled = false
                }
                return (inbox.commands, inbox.isStopping)
            }
            if isStopping { return }
            for command in commands {
                switch command {
                case .run(let time, let job): timers.add(job, at: time)
                case .watch(let socket, let interest, let job):
                    jobs[socket] = job
                    poller.watch(socket, for: interest)
                case .unwatch(let socket):
                    if jobs.removeValue(forKey: socket) != nil { poller.watch(socket, for: []) }
                }
            }
            while let job = timers.next(until: clock.now()) { job() }
            for (socket, readiness) in poller.wait(nanoseconds: patience(timers)) {
                jobs[socket]?(readiness)
            }
        }
    }

    private func patience(_ timers: TimerQueue) -> Int64? {
        if inbox.withLock({ !$0.commands.isEmpty || $0.isStopping }) { return 0 }
        return timers.first.map { max(0, $0 - clock.now()) }
    }
}
