internal import CCurl
internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension SocketLink {
    /// The most that is offered to the system at once.
    private static let pieceBytes = 1 << 20
    /// The most that a link may write in one turn, so that none keeps the others waiting.
    private static let bytesPerTurn = 4 << 20

    func send(_ outgoing: Outgoing) {
        guard phase == .open, !isFinishing else {
            let error =
                isFinishing
                ? TransportError(
                    how: .failed, .failed, "nothing can be sent behind finishSending")
                : .ended(exchange.target)
            return outgoing.waiter.resume(returning: .failure(error))
        }
        queue.append(outgoing)
        if !isBlocked { write() }
    }

    func finishSending() {
        guard phase == .open, !isFinishing else { return }
        isFinishing = true
        if !isBlocked { write() }
    }

    /// Writes until nothing is left, there is no room, or the share of the turn is used up.
    func write() {
        isBlocked = false
        var left = Self.bytesPerTurn
        while !isEnded {
            guard queue.isUnderWay || startNext() else { break }
            switch writeOnce() {
            case .bytes(let count):
                queue.advance(count)
                left -= count
                if !queue.isUnderWay, phase == .requesting { didRequest() }
                isBlocked = left <= 0
            case .later: isBlocked = true
            case .failure(let code): return didBreak(code)
            }
            if isBlocked { break }
        }
        watch()
    }

    private func writeOnce() -> EasyHandle.Writing {
        let start = queue.written
        return unsafe queue.bytes.withUnsafeBytes { bytes in
            let end = min(bytes.count, start + Self.pieceBytes)
            return unsafe easy.write(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        }
    }

    /// Makes the next frame ready and tells of it, before it is on its way.
    ///
    /// - Returns: Whether there is one.
    private func startNext() -> Bool {
        while true {
            switch queue.next() {
            case .frame(let frame):
                tell(.socketFrame(SocketFrameRecord(frame, from: .client)), at: stamp())
                queue.push(WebSocketFrameEncoder.client(frame, mask: .random(in: .min ... .max)))
                return true
            case .done(let outgoing):
                outcomes.append((outgoing.waiter, .success(())))
                turn.touch(self)
            case .nothing:
                if isFinishing { shutSending() }
                return false
            }
        }
    }

    /// Ends this end's half of the connection. Over TLS nothing is done: libcurl cannot close one
    /// direction of it, and a FIN without a closure alert looks like a cut (RFC 8446 section 6.1).
    private func shutSending() {
        let isProxyTLS = exchange.target.proxyURL?.lowercased().hasPrefix("https:") ?? false
        guard let socket, exchange.target.scheme == "http", !isProxyTLS else { return }
        _ = shutdown(socket, Int32(SHUT_WR))
    }

    /// The request's head is out.
    private func didRequest() {
        let time = stamp()
        sentAt = time
        var record = exchange.record
        if let left = RequestHead(request.head.bytes) {
            record.method = left.method
            record.headers = left.headers
        }
        tell(.request(record), at: exchange.began)
        tell(.requestEnd, at: time)
        phase = .answering
    }

    /// The connection takes no more. What the peer sent before it broke is still there.
    private func didBreak(_ code: CURLcode) {
        let ending = ending(code)
        if phase == .open { drain() }
        end(ending.record)
    }
}
