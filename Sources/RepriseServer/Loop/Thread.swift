#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Threads of the server's own.
enum Thread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }

        static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let context = unsafe context else { return nil }
            unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }
    }

    /// Starts a detached thread that gets no signals: those are for the app's threads.
    ///
    /// - Returns: Whether the system had a thread left.
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        let context = unsafe Unmanaged.passRetained(Body(run)).toOpaque()
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        #if canImport(Darwin)
        var thread: pthread_t?
        let code = unsafe pthread_create(&thread, nil, { unsafe Body.run($0) }, context)
        if code == 0, let thread { unsafe pthread_detach(thread) }
        #else
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, { unsafe Body.run($0) }, context)
        if code == 0 { pthread_detach(thread) }
        #endif
        if code != 0 { unsafe Unmanaged<Body>.fromOpaque(context).release() }
        return code == 0
    }
}
