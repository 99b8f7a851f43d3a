internal import CCurl
internal import RepriseSupport
internal import RepriseTransport

/// The loop of the reactor's thread, which alone touches libcurl.
///
/// A turn: obey the inbox, let libcurl do what is due and ready, collect what ended, look for
/// silence, commit and release; then sleep.
@safe final class Loop {
    let settings: Settings
    private let inbox: Inbox
    let poller: SocketPoller
    let multi: OpaquePointer
    let turn = Turn()
    private var transfers: [UInt64: Transfer] = [:]
    /// The exchange of each easy handle.
    var ids: [Int: UInt64] = [:]
    var links: [UInt64: SocketLink] = [:]
    /// The links whose sockets this loop watches itself.
    var linksBySocket: [Int32: SocketLink] = [:]
    let readBuffer = ReadBuffer()
    /// When libcurl wants to be called whatever happens; nil for never.
    private var timer: Int64?

    /// A loop; nil where memory is out.
    init?(settings: Settings, inbox: Inbox, poller: SocketPoller) {
        guard let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = multi
        self.settings = settings
        self.inbox = inbox
        self.poller = poller
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe reprise_curl_multi_set_socket(multi, onSocket, context)
        _ = unsafe reprise_curl_multi_set_timer(multi, onTimer, context)
    }

    deinit {
        for transfer in transfers.values {
            _ = unsafe curl_multi_remove_handle(multi, transfer.easy.pointer)
        }
        for link in links.values { _ = unsafe curl_multi_remove_handle(multi, link.easy.pointer) }
        _ = unsafe curl_multi_cleanup(multi)
    }

    /// Runs until the inbox says stop.
    func run() {
        while true {
            let (commands, isStopping) = inbox.drain()
            for command in commands { obey(command) }
            if isStopping { break }
            fireTimer()
            collect()
            goOnReading()
            endSilent()
            turn.end()
            for (socket, readiness) in poller.wait(nanoseconds: patience) {
                act(on: socket, readiness)
                turn.hold()
            }
        }
        for transfer in transfers.values { remove(transfer, .transportReleased) }
        for link in links.values { stop(link, .transportReleased) }
        turn.end()
    }

    private func obey(_ command: Inbox.Command) {
        switch command {
        case .start(let exchange): start(exchange)
        case .cancel(let id):
            if let transfer = transfers[id] {
                remove(transfer, .cancelled(transfer.exchange.target))
            } else if let link = links[id] {
                stop(link, .cancelled(link.exchange.target))
            }
        case .resume(let id):
            transfers[id]?.resume()
            with(id) { $0.resume() }
        case .open(let socket): open(socket)
        case .send(let id, let outgoing): send(outgoing, over: id)
        case .finishSending(let id): with(id) { $0.finishSending() }
        case .end(let id, let record): with(id) { $0.end(record) }
        }
    }

    private func start(_ exchange: Exchange) {
        guard let easy = EasyHandle() else { return exchange.fail("memory is out") }
        let transfer = Transfer(exchange, easy: easy, clock: settings.clock, turn: turn)
        easy.configure(exchange, settings: settings)
        transfer.setCallbacks()
        if let failure = easy.failure { return exchange.fail(easy.message(for: failure)) }
        guard unsafe curl_multi_add_handle(multi, easy.pointer) == CURLM_OK else {
            return exchange.fail("libcurl refused it")
        }
        transfers[exchange.id] = transfer
        ids[easy.key] = exchange.id
    }

    private func remove(_ transfer: Transfer, _ error: TransportError) {
        forget(transfer)
        transfer.stop(error)
    }

    private func forget(_ transfer: Transfer) {
        transfers[transfer.exchange.id] = nil
        ids[transfer.easy.key] = nil
        _ = unsafe curl_multi_remove_handle(multi, transfer.easy.pointer)
    }
}

// MARK: - Parts of a turn

extension Loop {
    private func act(on socket: Int32, _ readiness: SocketPoller.Readiness) {
        if let link = linksBySocket[socket] { return act(on: link, readiness) }
        let mask =
            (readiness.contains(.readable) ? CURL_CSELECT_IN : 0)
            | (readiness.contains(.writable) ? CURL_CSELECT_OUT : 0)
            | (readiness.contains(.failed) ? CURL_CSELECT_ERR : 0)
        var running: Int32 = 0
        _ = unsafe curl_multi_socket_action(multi, socket, mask, &running)
    }

    private func fireTimer() {
        guard let due = timer, due <= settings.clock.now() else { return }
        timer = nil
        var running: Int32 = 0
        _ = unsafe curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
        turn.hold()
    }

    private func collect() {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE,
                let handle = unsafe message.pointee.easy_handle,
                let id = ids[Int(bitPattern: handle)]
            else { continue }
            // The message is gone once the handle is removed.
            let result = unsafe reprise_curl_result(message)
            if let transfer = transfers[id] {
                transfer.finish(result)
                forget(transfer)
            } else if let link = links[id] {
                connect(link, result)
            }
        }
    }

    private func endSilent() {
        guard let check = turn.silenceCheck else { return }
        let now = settings.clock.now()
        guard check <= now else { return }
        turn.resetSilenceCheck()
        for transfer in transfers.values {
            guard let deadline = transfer.idleDeadline else { continue }
            if deadline > now {
                turn.watchSilence(until: deadline)
                continue
            }
            remove(transfer, .silent(transfer.exchange))
        }
        endLate(now)
    }

    /// How long to sleep at most, in nanoseconds; nil for no limit.
    private var patience: Int64? {
        if turn.isEager { return 0 }
        guard let due = [timer, turn.silenceCheck].compactMap({ $0 }).min() else { return nil }
        return max(0, due - settings.clock.now())
    }

    fileprivate func setTimer(milliseconds: Int) {
        timer = milliseconds < 0 ? nil : settings.clock.now() + Int64(milliseconds) * 1_000_000
    }

    fileprivate func watch(_ socket: Int32, _ what: Int32) {
        let wanted = what == CURL_POLL_REMOVE ? 0 : what
        var interest: SocketPoller.Readiness = []
        if wanted & CURL_POLL_IN != 0 { interest.insert(.readable) }
        if wanted & CURL_POLL_OUT != 0 { interest.insert(.writable) }
        poller.watch(socket, for: interest)
    }
}

private func onSocket(
    _ handle: OpaquePointer?, _ socket: curl_socket_t, _ what: Int32,
    _ context: UnsafeMutableRawPointer?, _ socketContext: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return -1 }
    unsafe Unmanaged<Loop>.fromOpaque(context).takeUnretainedValue().watch(socket, what)
    return 0
}

private func onTimer(
    _ multi: OpaquePointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return -1 }
    unsafe Unmanaged<Loop>.fromOpaque(context).takeUnretainedValue()
        .setTimer(milliseconds: milliseconds)
    return 0
}
