#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Work that blocks, on a thread of its own.
package enum OwnThread {
    /// Starts `work` and returns at once; false where the system has no thread left.
    ///
    /// - Parameter withSignals: Whether signals may come to it. A thread of a library takes none:
    ///   they are for the app's threads. One that starts processes does, since those inherit it.
    package static func start(
        withSignals: Bool = true, _ work: @escaping @Sendable () -> Void
    ) -> Bool {
        if withSignals { return start(Work(work)) }
        // A thread inherits what blocks signals from the one that starts it.
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return start(Work(work))
    }

    private static func start(_ work: Work) -> Bool {
        let context = unsafe Unmanaged.passRetained(work).toOpaque()
        #if canImport(Darwin)
        var thread: pthread_t?
        let code = unsafe pthread_create(&thread, nil, { Work.run($0) }, context)
        if code == 0, let thread { pthread_detach(thread) }
        #else
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, { unsafe Work.run($0) }, context)
        if code == 0 { pthread_detach(thread) }
        #endif
        if code != 0 { unsafe Unmanaged<Work>.fromOpaque(context).release() }
        return code == 0
    }

    /// The calling thread, told from all others that run at the same time.
    package static var current: UInt {
        #if canImport(Darwin)
        unsafe UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }

    private final class Work: Sendable {
        private let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let context = unsafe context else { return nil }
            unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().work()
            return nil
        }
    }
}
