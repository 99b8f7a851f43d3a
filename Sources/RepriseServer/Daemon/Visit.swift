internal import CMicrohttpd
internal import RepriseSupport
internal import RepriseTransport
internal import RepriseWire

/// One request of a client, and its response while it goes out.
///
/// libmicrohttpd's thread asks it for what to do next, the loop's thread tells it what is due. A
/// connection with nothing to say is suspended; it is resumed under the lock under which it is
/// found to be alive, since resuming a dead one is a use after free.
@safe final class Visit: Sendable {
    /// Where the request is in its life.
    enum Step {
        /// Its head came.
        case opened
        /// Its body comes.
        case reading
        /// The head of the response is not due yet.
        case waiting
        /// libmicrohttpd writes the response.
        case answering
        /// The loop's thread writes the response on the suspended connection's socket.
        case raw
        /// The suspended connection's socket is a WebSocket's.
        case socket
        /// Only the connection's end is left to libmicrohttpd.
        case over
    }

    @unsafe struct State {
        /// nil once libmicrohttpd is done with it.
        var connection: OpaquePointer?
        var isSuspended = false
        var isStopping = false
        var hasLeft = false
        /// When a connection is reset though the client does not have all.
        var resetDeadline: Int64?
        var step = Step.opened
        var socket: Int32 = -1
        var origin: Int64 = 0
        var request: Request
        var isHTTP10 = false
        var answer = ServiceAnswer(response: ServedResponse())
        var feed = BodyFeed()
        var raw: RawResponse?
        var pump: SocketPump?
    }

    /// More of a request's body is not kept: nothing that was recorded is as large.
    private static let bodyLimit = 64 << 20

    let daemon: Daemon
    let clock = LiveClock()
    let state: Locked<State>

    init(target: String, daemon: Daemon) {
        self.daemon = daemon
        unsafe state = Locked(State(request: Request(method: "", url: target)))
    }

    // MARK: - libmicrohttpd's thread

    /// How long a client may take to read what was sent before a RST, which would take it away.
    private static let patience: Int64 = 60_000_000_000
    /// How long to wait before looking again whether it has all.
    private static let glance: Int64 = 1_000_000

    func handle(
        _ connection: OpaquePointer, method: String, version: String,
        upload: UnsafeRawBufferPointer
    ) -> MHD_Result {
        let step = unsafe state.withLock { unsafe $0.isStopping || $0.hasLeft ? .over : $0.step }
        switch step {
        case .opened:
            unsafe open(connection, method: method, version: version)
            return .YES
        case .reading where unsafe !upload.isEmpty:
            unsafe state.withLock { state in
                let room = unsafe Self.bodyLimit - state.request.body.count
                unsafe state.request.body.append(contentsOf: upload.prefix(max(0, room)))
            }
            return .YES
        case .reading: return unsafe answer(connection)
        case .waiting: return unsafe queue(connection)
        case .answering, .raw, .socket, .over: return .NO
        }
    }

    private func open(_ connection: OpaquePointer, method: String, version: String) {
        let headers = unsafe Headers(of: connection)
        unsafe state.withLock { state in
            unsafe state.connection = connection
            unsafe state.socket = reprise_mhd_socket(connection)
            unsafe state.origin = clock.now()
            unsafe state.step = .reading
            unsafe state.isHTTP10 = version == "HTTP/1.0"
            unsafe state.request.method = method
            unsafe state.request.headers = headers
            let target = unsafe state.request.url
            if target.hasPrefix("/") {
                unsafe state.request.url = "http://\(headers.first("Host") ?? "")\(target)"
            }
        }
    }

    /// The request is whole: finds out what to answer, and begins.
    private func answer(_ connection: OpaquePointer) -> MHD_Result {
        let request = unsafe state.withLock { unsafe $0.request }
        let answer = daemon.service.respond(to: request)
        return unsafe state.withLock { state in
            unsafe state.answer = answer
            unsafe state.feed = BodyFeed(answer.response, origin: state.origin)
            let response = answer.response
            if answer.socket != nil {
                unsafe beginSocket(&state)
                return .YES
            }
            unsafe watch(state)
            if response.head == nil || response.needsRawBytes {
                unsafe beginRaw(&state)
            } else if unsafe state.origin.saturatingAdd(response.head?.offset ?? 0) > clock.now() {
                unsafe state.step = .waiting
                unsafe suspend(&state)
            } else {
                return unsafe queue(connection, &state)
            }
            unsafe schedule(state)
            return .YES
        }
    }

    private func queue(_ connection: OpaquePointer) -> MHD_Result {
        unsafe state.withLock { state in unsafe queue(connection, &state) }
    }

    private func queue(_ connection: OpaquePointer, _ state: inout State) -> MHD_Result {
        guard let response = unsafe DaemonResponse(state.answer.response, reader: self) else {
            unsafe beginRaw(&state)
            unsafe schedule(state)
            return .YES
        }
        unsafe state.step = .answering
        unsafe schedule(state)
        return unsafe response.queue(on: connection)
    }

    /// What comes next of the body, into `buffer`.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        unsafe state.withLock { state in
            if unsafe state.isStopping || state.hasLeft { return reprise_mhd_end_with_error() }
            unsafe state.feed.release(until: clock.now())
            switch unsafe state.feed.next(into: buffer) {
            case .bytes(let count): return count
            case .nothing:
                unsafe suspend(&state)
                return 0
            case .end(.complete): return reprise_mhd_end_of_stream()
            case .end(.reset):
                if unsafe waitsForReader(
                    &state,
                    then: { [self] in
                        unsafe self.state.withLock { unsafe resume(&$0) }
                    })
                {
                    unsafe suspend(&state)
                    return 0
                }
                unsafe Socket.reset(state.socket)
                return reprise_mhd_end_with_error()
            case .end: return reprise_mhd_end_with_error()
            }
        }
    }

    /// libmicrohttpd is done with the request; the connection may go on with another.
    func complete(isOrderly: Bool) {
        let (socket, answer, feed, pump, isRaw) = unsafe state.withLock { state in
            unsafe state.connection = nil
            unsafe state.isSuspended = false
            return unsafe (
                state.socket, state.answer, state.feed, state.pump, state.step == .over
            )
        }
        if socket >= 0 { daemon.loop.unwatch(socket) }
        guard let ticket = answer.ticket else { return }
        if let pump {
            pump.shut()
            return daemon.service.finish(ticket, sent: pump.sent, isWhole: pump.isWhole)
        }
        daemon.service.finish(
            ticket, sent: feed.sent, isWhole: feed.isWhole(isOrderly: isOrderly || isRaw))
    }

    /// Whether the client does not have all that was sent, which a RST would take from it, and
    /// `then` is called a little later; not for ever.
    func waitsForReader(_ state: inout State, then: @escaping @Sendable () -> Void) -> Bool {
        let now = clock.now()
        let deadline = unsafe state.resetDeadline ?? now.saturatingAdd(Self.patience)
        unsafe state.resetDeadline = deadline
        guard now < deadline, unsafe Socket.hasUnsent(state.socket) else { return false }
        daemon.loop.run(at: now.saturatingAdd(Self.glance), then)
        return true
    }

    func suspend(_ state: inout State) {
        guard let connection = unsafe state.connection else { return }
        unsafe state.isSuspended = true
        unsafe MHD_suspend_connection(connection)
    }

    // MARK: - Any thread, with the lock

    func resume(_ state: inout State) {
        guard unsafe state.isSuspended, let connection = unsafe state.connection else { return }
        unsafe state.isSuspended = false
        unsafe MHD_resume_connection(connection)
    }

    /// Has the loop come back when something is due next.
    func schedule(_ state: borrowing State) {
        guard let time = unsafe state.nextTime else { return }
        daemon.loop.run(at: time) { [self] in advance() }
    }

    func watch(_ state: borrowing State) {
        let socket = unsafe state.socket
        daemon.loop.watch(socket, for: .left) { [self] _ in leave() }
    }

    // MARK: - The loop's thread

    /// Something is due.
    private func advance() {
        unsafe state.withLock { state in
            guard unsafe state.connection != nil, unsafe !state.isStopping else { return }
            unsafe state.feed.release(until: clock.now())
            switch unsafe state.step {
            case .waiting, .answering: unsafe resume(&state)
            case .raw: unsafe writeRaw(&state)
            case .opened, .reading, .socket, .over: return
            }
            if unsafe state.step != .waiting { unsafe schedule(state) }
        }
    }

    /// The client has gone.
    func leave() {
        unsafe state.withLock { state in
            unsafe daemon.loop.unwatch(state.socket)
            unsafe state.hasLeft = true
            unsafe resume(&state)
        }
    }

    /// The server ends.
    func stop() {
        unsafe state.withLock { state in
            unsafe state.isStopping = true
            unsafe state.pump?.shut()
            unsafe resume(&state)
        }
    }
}

extension Visit.State {
    /// When something is due next; nil for never.
    fileprivate var nextTime: Int64? {
        switch unsafe step {
        case .waiting: unsafe origin.saturatingAdd(answer.response.head?.offset ?? 0)
        case .raw: unsafe raw?.nextTime ?? feed.nextTime
        default: unsafe feed.nextTime
        }
    }
}

extension Headers {
    /// The request's fields in order.
    fileprivate init(of connection: OpaquePointer) {
        self.init()
        unsafe withUnsafeMutablePointer(to: &self) { headers in
            _ = unsafe MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameCount, value, valueCount in
                    let headers = unsafe context?.assumingMemoryBound(to: Headers.self)
                    let name = unsafe UnsafeRawBufferPointer(start: name, count: nameCount)
                    let value = unsafe UnsafeRawBufferPointer(start: value, count: valueCount)
                    unsafe headers?.pointee.fields.append(
                        Headers.Field(
                            WireText(bytes: Array(name)), WireText(bytes: Array(value))))
                    return .YES
                }, headers)
        }
    }
}
