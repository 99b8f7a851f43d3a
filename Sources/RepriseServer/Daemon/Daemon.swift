internal import CMicrohttpd
internal import RepriseSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// libmicrohttpd's daemon on one thread of its own: it accepts, parses requests, and writes
/// responses as ``Visit`` says.
///
/// Invariant of the unchecked conformance: `handle` is written once, before the value is shared.
@safe final class Daemon: @unchecked Sendable {
    private struct State {
        var visits: [ObjectIdentifier: Visit] = [:]
        var isStopping = false
    }

    let loop: ServerLoop
    let service: any RequestService
    private let state = Locked(State())
    private var handle: OpaquePointer?

    /// Starts serving on a socket that listens, which is the daemon's from here on; nil where the
    /// system has no thread or descriptor left.
    ///
    /// - Parameter pieceBytes: The largest piece of a response that must stay one chunk.
    init?(listener: Int32, pieceBytes: Int, service: any RequestService) {
        guard let loop = ServerLoop() else { return nil }
        self.loop = loop
        self.service = service
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        // What a chunk needs around it, and the request's head in the same pool.
        let memory = min(max(pieceBytes, 64 << 10), 16 << 20) + (64 << 10)
        unsafe handle = reprise_mhd_start(
            listener, memory, context, onOpened, onRequest, onCompleted)
        if unsafe handle == nil {
            loop.stop()
            return nil
        }
    }

    /// Ends every exchange and the thread. Blocks until that is done.
    ///
    /// libmicrohttpd aborts the process where it stops with a suspended connection, so all are
    /// resumed first, on the thread that writes to them.
    func stop() {
        guard let daemon = unsafe handle else { return }
        unsafe handle = nil
        let listener = unsafe MHD_quiesce_daemon(daemon)
        if listener >= 0 { close(listener) }
        let visits = state.withLock { state in
            state.isStopping = true
            return Array(state.visits.values)
        }
        let done = Latch()
        loop.run {
            for visit in visits { visit.stop() }
            done.open()
        }
        done.wait()
        unsafe MHD_stop_daemon(daemon)
        loop.stop()
    }

    fileprivate func open(_ target: String) -> Visit {
        let visit = Visit(target: target, daemon: self)
        let isStopping = state.withLock { state in
            state.visits[ObjectIdentifier(visit)] = visit
            return state.isStopping
        }
        if isStopping { visit.stop() }
        return visit
    }

    fileprivate func forget(_ visit: Visit) {
        _ = state.withLock { $0.visits.removeValue(forKey: ObjectIdentifier(visit)) }
    }
}

// MARK: - Callbacks, on the daemon's thread

private func onOpened(
    _ context: UnsafeMutableRawPointer?, _ uri: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context, let uri = unsafe uri else { return nil }
    let daemon = unsafe Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
    let visit = daemon.open(unsafe String(cString: uri))
    return unsafe Unmanaged.passRetained(visit).toOpaque()
}

private func onRequest(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
    _ uploadCount: UnsafeMutablePointer<Int>?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let own = unsafe own?.pointee, let connection = unsafe connection,
        let method = unsafe method, let version = unsafe version,
        let uploadCount = unsafe uploadCount
    else { return .NO }
    let visit = unsafe Unmanaged<Visit>.fromOpaque(own).takeUnretainedValue()
    let bytes = unsafe UnsafeRawBufferPointer(start: upload, count: uploadCount.pointee)
    unsafe uploadCount.pointee = 0
    return unsafe visit.handle(
        connection, method: String(cString: method), version: String(cString: version),
        upload: bytes)
}

private func onCompleted(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let context = unsafe context, let pointer = unsafe own?.pointee else { return }
    unsafe own?.pointee = nil
    let daemon = unsafe Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
    let visit = unsafe Unmanaged<Visit>.fromOpaque(pointer).takeRetainedValue()
    daemon.forget(visit)
    visit.complete(isOrderly: code == .REQUEST_TERMINATED_COMPLETED_OK)
}
