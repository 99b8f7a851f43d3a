internal import CCurl
internal import RepriseSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A thread that runs a ``Loop``, and the inbox that leads to it.
final class Reactor: Sendable {
    let inbox: Inbox
    private let finished = Latch()

    /// Starts the thread; nil where the system has no thread or descriptor left.
    init?(settings: Settings) {
        guard Self.isCurlReady, let poller = Poller() else { return nil }
        inbox = Inbox(poller: poller)
        let (inbox, finished) = (inbox, finished)
        let isStarted = Self.startThread {
            Loop(settings: settings, inbox: inbox, poller: poller)?.run()
            inbox.stop()
            finished.open()
        }
        if !isStarted { return nil }
        Self.running.withLock { $0.append(WeakReactor(reactor: self)) }
    }

    /// Asks the thread to cancel what is running and to end, and does not wait for it.
    func stop() { inbox.stop() }

    deinit { stop() }

    /// Set-up of libcurl, once a process.
    private static let isCurlReady: Bool = {
        guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else { return false }
        // OpenSSL frees its tables when the process exits, so the threads that use them must have
        // ended by then. Handlers run in reverse order: this one runs before OpenSSL's.
        return atexit { Reactor.stopAll() } == 0
    }()

    private struct WeakReactor {
        weak var reactor: Reactor?
    }

    private static let running = Locked<[WeakReactor]>([])

    private static func stopAll() {
        let reactors = running.withLock { $0.compactMap(\.reactor) }
        for reactor in reactors { reactor.stop() }
        for reactor in reactors { reactor.finished.wait(seconds: 2) }
    }
}

extension Reactor {
    private final class Body {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread that gets no signals: those are for the app's threads, and a
    /// broken pipe is seen by its error.
    private static func startThread(_ run: @escaping @Sendable () -> Void) -> Bool {
        let context = unsafe Unmanaged.passRetained(Body(run: run)).toOpaque()
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        #if canImport(Darwin)
        var thread: pthread_t?
        let code = unsafe pthread_create(
            &thread, nil,
            { context in
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        if code == 0, let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        if code == 0 { pthread_detach(thread) }
        #endif
        if code != 0 { unsafe Unmanaged<Body>.fromOpaque(context).release() }
        return code == 0
    }
}
