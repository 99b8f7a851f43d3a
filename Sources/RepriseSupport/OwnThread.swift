#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Work that blocks, on a thread of its own.
package enum OwnThread {
    /// Starts `work` and returns at once; false where the system has no thread left.
    package static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        let context = unsafe Unmanaged.passRetained(Work(work)).toOpaque()
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
