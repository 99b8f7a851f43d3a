internal import CCurl
internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

extension SocketLink {
    /// How many reads a link may have in one turn, so that none keeps the others waiting.
    private static let readsPerTurn = 32
    /// How many bytes that are no frame are told.
    private static let refusedLimit = 1 << 20

    /// Reads until nothing is left, the app has enough, or the share of the turn is used up.
    func read() {
        guard isConnected, !isHeld, !hasPeerFinished else { return watch() }
        for _ in 0..<Self.readsPerTurn {
            guard readOnce() else { return watch() }
            if isHeld || isEnded { return watch() }
        }
        watch()
        turn.goOn(self)
    }

    /// Reads what the connection still has, which is broken.
    func drain() {
        while !isEnded, !hasPeerFinished, readOnce() {}
    }

    /// - Returns: Whether there may be more.
    private func readOnce() -> Bool {
        switch phase {
        case .connecting, .requesting, .ended: return false
        case .answering, .open, .refused: break
        }
        switch easy.read(into: buffer) {
        case .bytes(let bytes):
            didRead(bytes)
            return true
        case .later: return false
        case .end: didReadEnd()
        case .failure(let code): end(ending(code).record)
        }
        return false
    }

    private func didRead(_ bytes: [UInt8]) {
        let time = stampRead()
        switch phase {
        case .answering: didRead(head: bytes, at: time)
        case .open: didRead(frames: bytes, at: time)
        case .refused: didRead(body: bytes, at: time)
        case .connecting, .requesting, .ended: break
        }
    }

    private func didReadEnd() {
        switch phase {
        case .answering: end(ending(headReader.hasBegun ? CURLE_OK : CURLE_GOT_NOTHING).record)
        case .open:
            tellUnfinished()
            hasPeerFinished = true
            frames.isFinished = true
            turn.touch(self)
        case .refused: end(ending(framing == .close ? CURLE_OK : CURLE_PARTIAL_FILE).record)
        case .connecting, .requesting, .ended: break
        }
    }
}

// MARK: - The response

extension SocketLink {
    private func didRead(head bytes: [UInt8], at time: Int64) {
        var hasBegun = false
        let outcome = headReader.push(bytes) { hasBegun = true }
        if hasBegun { firstByteAt = time }
        switch outcome {
        case .incomplete: turn.watchSilence(until: deadline)
        case .notHTTP: end(ending(CURLE_WEIRD_SERVER_REPLY, "there is no status line").record)
        case .tooLarge:
            var ending = ending(CURLE_OK)
            ending.isHeadTooLarge = true
            end(ending.record)
        case .final(let record, let rest): didAnswer(record, rest, at: time)
        }
    }

    private func didAnswer(_ record: ResponseRecord, _ rest: [UInt8], at time: Int64) {
        tell(.phases(phases), at: time)
        tell(.response(record), at: time)
        answer.head = record
        if record.status == 101 {
            phase = .open
            if !rest.isEmpty { didRead(frames: rest, at: time) }
            return
        }
        phase = .refused
        body = AnswerBody(of: record, to: exchange.request.method)
        framing = body?.framing
        didRead(body: rest, at: time)
    }

    private func didRead(body bytes: [UInt8], at time: Int64) {
        let pieces = body?.push(bytes) ?? []
        for piece in pieces {
            tell(.responseBody(piece), at: time)
            answer.items.append(Delivery(bytes: piece, time: time))
        }
        if exchange.handoff.announce(pieces.reduce(0) { $0 + $1.count }) { isHeld = true }
        guard let body else {
            return end(ending(CURLE_WEIRD_SERVER_REPLY, "its Content-Length is no number").record)
        }
        if body.hasFailed {
            end(ending(CURLE_WEIRD_SERVER_REPLY, "a chunk is not one").record)
        } else if body.isFinished {
            var record = ending(CURLE_OK).record
            record.trailers = body.trailers
            end(record)
        } else {
            turn.watchSilence(until: deadline)
        }
    }
}

// MARK: - Frames

extension SocketLink {
    private func didRead(frames bytes: [UInt8], at time: Int64) {
        let read = frameReader.push(bytes)
        var weight = 0
        for item in read.items {
            if case .frame(let frame, _) = item {
                tell(.socketFrame(SocketFrameRecord(frame, from: .server)), at: time)
            }
            let delivery = SocketDelivery(item, time: time)
            weight += delivery.weight
            frames.items.append(delivery)
        }
        tellRefused(read.refused, at: time)
        if weight > 0, request.frames.announce(weight) { isHeld = true }
    }

    /// Tells bytes that are no frame, but not without end: nobody reads them, so nothing holds
    /// back a server that goes on.
    private func tellRefused(_ bytes: [UInt8], at time: Int64) {
        let told = bytes.prefix(Self.refusedLimit - refusedBytes)
        if told.isEmpty { return }
        refusedBytes += told.count
        tell(.responseBody(Array(told)), at: time)
    }

    /// Tells the bytes of a frame that did not end, once: none follow.
    func tellUnfinished() {
        guard phase == .open else { return }
        let bytes = frameReader.finish()
        if !bytes.isEmpty { tell(.responseBody(bytes), at: stamp()) }
    }
}
