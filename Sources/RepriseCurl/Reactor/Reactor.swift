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
        guard Self.isCurlReady, let poller = SocketPoller() else { return nil }
        inbox = Inbox(poller: poller)
        let (inbox, finished) = (inbox, finished)
        let key = ObjectIdentifier(inbox)
        Self.running.withLock { $0[key] = (inbox, finished) }
        let isStarted = OwnThread.start(withSignals: false) {
            Self.runLoop(settings: settings, inbox: inbox, poller: poller)
            _ = Self.running.withLock { $0.removeValue(forKey: key) }
            finished.open()
        }
        guard isStarted else {
            _ = Self.running.withLock { $0.removeValue(forKey: key) }
            return nil
        }
    }

    /// The loop's whole life: when it returns, libcurl holds nothing any more.
    private static func runLoop(settings: Settings, inbox: Inbox, poller: SocketPoller) {
        if let loop = Loop(settings: settings, inbox: inbox, poller: poller) { return loop.run() }
        inbox.stop()
        for command in inbox.drain().commands {
            switch command {
            case .start(let exchange): exchange.fail("libcurl has no memory left")
            case .open(let socket): socket.exchange.fail("libcurl has no memory left")
            case .send(_, let outgoing): outgoing.waiter.resume(returning: nil)
            case .cancel, .resume, .finishSending, .end: break
            }
        }
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

    /// The reactors whose threads have not ended.
    private static let running = Locked<[ObjectIdentifier: (inbox: Inbox, finished: Latch)]>([:])

    private static func stopAll() {
        let all = running.withLock { Array($0.values) }
        for entry in all { entry.inbox.stop() }
        for entry in all { entry.finished.wait(seconds: 2) }
    }
}
