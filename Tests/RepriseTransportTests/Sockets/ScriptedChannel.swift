import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire

/// A peer whose whole side is written down, and a log of what the driver asks for in what order.
final class ScriptedChannel: SocketChannel {
    /// What reading gives.
    enum Step: Sendable {
        case frame(WebSocketFrame)
        case violation(WebSocketViolation.Kind)
        /// The peer's bytes end.
        case finish
        case fail(TransportError)
        /// Nothing comes before the driver ends the exchange.
        case silence
    }

    private struct State {
        var rest: ArraySlice<Step>
        var time: Int64 = 0
        var log: [String] = []
        var frames: [WebSocketFrame] = []
        var hasEnded = false
        var waiter: CheckedContinuation<Void, Never>?
        /// Where sending waits for the test.
        var isBlocked = false
        var blocked: [CheckedContinuation<Void, Never>] = []
        var events: [@Sendable (String) -> Void] = []
    }

    private let state: Locked<State>
    private let deflate: PerMessageDeflate?

    init(_ steps: [Step], deflate: PerMessageDeflate? = nil) {
        state = Locked(State(rest: steps[...]))
        self.deflate = deflate
    }

    /// What was asked for, in order.
    var log: [String] { state.withLock { $0.log } }

    /// What was sent, in order.
    var frames: [WebSocketFrame] { state.withLock { $0.frames } }

    /// Waits until the log has a line that begins so.
    func saw(_ beginning: String) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.log.contains(where: { $0.hasPrefix(beginning) }) { return true }
                let isOpen = Locked(true)
                state.events.append { line in
                    guard line.hasPrefix(beginning) else { return }
                    let wasOpen = isOpen.withLock { open in
                        defer { open = false }
                        return open
                    }
                    if wasOpen { continuation.resume() }
                }
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    /// From here on sending waits.
    func block() { state.withLock { $0.isBlocked = true } }

    /// Sending goes on.
    func unblock() {
        let waiters = state.withLock { state in
            defer { state.blocked = [] }
            state.isBlocked = false
            return state.blocked
        }
        for waiter in waiters { waiter.resume() }
    }

    func next() async throws(TransportError) -> SocketDelivery? {
        note("next")
        let step = state.withLock { state -> Step in
            if state.hasEnded { return .silence }
            if case .silence = state.rest.first { return .silence }
            state.time += 10
            return state.rest.popFirst() ?? .silence
        }
        let time = state.withLock { $0.time }
        switch step {
        case .frame(let frame): return SocketDelivery(.frame(frame, bytes: 0..<0), time: time)
        case .violation(let kind):
            return SocketDelivery(.violation(WebSocketViolation(kind, frame: 0)), time: time)
        case .finish: return nil
        case .fail(let error):
            note("broken")
            throw error
        case .silence:
            await withCheckedContinuation { waiter in
                let isOver = state.withLock { state in
                    if !state.hasEnded { state.waiter = waiter }
                    return state.hasEnded
                }
                if isOver { waiter.resume() }
            }
            if !state.withLock({ $0.hasEnded }) { return try await next() }
            throw TransportError(how: .cancelled, .cancelled, "ended")
        }
    }

    /// Ends a silence.
    func continueWith(_ steps: [Step]) {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            state.rest = steps[...]
            return state.waiter
        }
        waiter?.resume()
    }

    func send(_ frames: [WebSocketFrame]) async throws(TransportError) {
        if frames.isEmpty { return }
        state.withLock { $0.frames += frames }
        note("send " + frames.map(\.said).joined(separator: ", "))
        await withCheckedContinuation { waiter in
            let isBlocked = state.withLock { state in
                if state.isBlocked { state.blocked.append(waiter) }
                return state.isBlocked
            }
            if !isBlocked { waiter.resume() }
        }
        if state.withLock({ $0.hasEnded }) {
            throw TransportError(how: .cancelled, .cancelled, "ended while sending")
        }
        note("sent")
    }

    func finishSending() { note("finish") }

    func end(_ record: EndRecord) {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            state.hasEnded = true
            return state.waiter
        }
        note(["end", record.how.rawValue, record.code].compactMap { $0 }.joined(separator: " "))
        waiter?.resume()
        unblock()
    }

    private func note(_ line: String) {
        let events = state.withLock { state in
            state.log.append(line)
            return state.events
        }
        for event in events { event(line) }
    }
}

extension WebSocketFrame {
    /// The frame in a few words.
    var said: String {
        let text = String(decoding: payload, as: UTF8.self)
        return switch opcode {
        case .text: rsv1 ? "text deflated" : "text \(text)"
        case .binary: "binary \(payload)"
        case .ping: "ping \(text)"
        case .pong: "pong \(text)"
        case .close where payload.isEmpty: "close"
        case .close:
            "close \(UInt16(payload[0]) << 8 | UInt16(payload[1]))"
                + String(decoding: payload.dropFirst(2), as: UTF8.self).prefix(20)
                .reduce(into: "") { $0 += $0.isEmpty ? " \($1)" : "\($1)" }
        default: "opcode \(opcode.rawValue)"
        }
    }

    static func text(_ text: String) -> WebSocketFrame { WebSocketFrame(.text, Array(text.utf8)) }

    static func ping(_ text: String) -> WebSocketFrame { WebSocketFrame(.ping, Array(text.utf8)) }

    static func close(_ code: WebSocketCloseCode?, _ reason: String = "") -> WebSocketFrame {
        WebSocketWriter.close(code, reason: reason)
    }
}

/// A transport whose next WebSocket is a given channel.
struct ScriptedTransport: Transport {
    var context: SessionContext
    var channel: ScriptedChannel
    /// Changes the right answer to the handshake.
    var change: @Sendable (inout ResponseRecord) -> Void = { _ in }
    /// The request that came.
    let requests = Locked<[Request]>([])
    var deflate: PerMessageDeflate?

    init(
        _ channel: ScriptedChannel, clock: any SessionClock = HandClock(),
        deflate: PerMessageDeflate? = nil
    ) {
        context = SessionContext(
            clock: clock, entropy: LiveEntropy(), journal: CountingJournal())
        self.channel = channel
        self.deflate = deflate
    }

    func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        throw TransportError(how: .failed, .badRequest, "no HTTP here")
    }

    func connect(
        _ request: Request, options: SocketOptions, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> SocketResponse {
        requests.withLock { $0.append(request) }
        guard
            let answer = try? WebSocketHandshake.answer(
                method: request.method, headers: request.headers, subprotocols: ["chat"],
                deflate: deflate)
        else { throw TransportError(how: .failed, .badRequest, "no handshake") }
        var head = ResponseRecord(status: 101, headers: answer.headers)
        change(&head)
        return SocketResponse(head: head, outcome: .switched(channel))
    }
}

/// A clock that goes on when the test says so: whoever sleeps is woken then.
final class HandClock: SessionClock {
    private struct State {
        var sleepers: [UInt64: (nanoseconds: Int64, CheckedContinuation<Bool, Never>)] = [:]
        var count: UInt64 = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func now() -> Int64 { 0 }

    /// How long those who sleep want to.
    var sleepers: [Int64] { state.withLock { $0.sleepers.values.map(\.nanoseconds) } }

    /// Waits until somebody sleeps.
    func slept() async {
        await withCheckedContinuation { waiter in
            let isDone = state.withLock { state in
                if state.sleepers.isEmpty { state.waiters.append(waiter) }
                return !state.sleepers.isEmpty
            }
            if isDone { waiter.resume() }
        }
    }

    /// Wakes all who sleep.
    func wake() {
        let sleepers = state.withLock { state in
            defer { state.sleepers = [:] }
            return state.sleepers.values.map(\.1)
        }
        for sleeper in sleepers { sleeper.resume(returning: true) }
    }

    func sleep(for nanoseconds: Int64) async throws {
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        let isWoken = await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in
                let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
                    if Task.isCancelled { return nil }
                    state.sleepers[id] = (nanoseconds, sleeper)
                    defer { state.waiters = [] }
                    return state.waiters
                }
                guard let waiters else { return sleeper.resume(returning: false) }
                for waiter in waiters { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.1.resume(returning: false)
        }
        if !isWoken { throw CancellationError() }
    }
}

/// The URL of every WebSocket here.
let socketRequest = Request(
    method: "GET", url: "wss://a.example/ws", headers: ["Origin": "https://app.example"])

/// Every message that a WebSocket gives, and how it ended.
func readAll(_ socket: WebSocket) async -> (messages: [String], error: WebSocketError?) {
    var messages: [String] = []
    do throws(WebSocketError) {
        for try await message in socket.messages { messages.append(message.text) }
        return (messages, nil)
    } catch {
        return (messages, error)
    }
}
