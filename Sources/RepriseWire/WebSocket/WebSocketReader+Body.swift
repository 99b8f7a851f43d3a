extension WebSocketReader {
    /// Tells whether a data frame of a deflated message was inflated by whoever recorded it.
    func choose(isInflated: Bool) {
        guard let open = message, open.isDeflated, open.isInflated != isInflated else { return }
        if isInflated {
            message?.isInflated = true
            inflater?.abandon()
        } else if open.state != .dropped {
            message?.state = .unreadable
            message?.bytes = []
        }
    }

    /// Says that the frame under way inflates no further.
    func failInflated() {
        guard let open = message, open.isDeflated, open.state == .sound || open.state == .invalid
        else { return }
        violate(.deflateCorrupt, detail: "as it was recorded")
        message?.drop()
    }

    /// Takes the payload of a data frame behind what was taken before.
    func append(_ payload: [UInt8], from taken: Int) {
        guard payload.count > taken else { return }
        message?.wireCount += payload.count - taken
        switch message?.state {
        case .sound, .invalid: break
        case .dropped, .unreadable, nil: return
        }
        if message?.isDeflated == true, message?.isInflated == false {
            inflate { inflater, bytes, limit throws(MessageInflater.Fault) in
                try inflater.push(payload, from: taken, into: &bytes, limit: limit)
            }
        } else {
            join(payload, from: taken)
        }
        checkText(atEnd: false)
    }

    private func join(_ payload: [UInt8], from taken: Int) {
        let room = limits.messageBytes - (message?.bytes.count ?? 0)
        if payload.count - taken > room {
            message?.bytes.append(contentsOf: payload[taken...].prefix(max(0, room)))
            checkText(atEnd: false)
            violateSize()
        } else if taken == 0 && message?.bytes.isEmpty == true {
            // The usual case: a message of one frame shares its memory.
            message?.bytes = payload
        } else {
            message?.bytes.append(contentsOf: payload[taken...])
        }
    }

    private func violateSize() {
        violate(.messageTooLarge, detail: "the limit is \(limits.messageBytes) bytes")
        message?.drop()
    }

    private func inflate(
        _ body: (MessageInflater, inout [UInt8], _ limit: Int) throws(MessageInflater.Fault) -> Void
    ) {
        guard let inflater, var open = message else { return }
        // The only owner of the bytes, so that they grow in place.
        message = nil
        var fault: MessageInflater.Fault?
        do throws(MessageInflater.Fault) {
            try body(inflater, &open.bytes, limits.messageBytes)
        } catch {
            fault = error
        }
        message = open
        // What comes before the fault is judged before it, however the bytes were cut.
        if fault != nil { checkText(atEnd: false) }
        switch fault {
        case .corrupt(let detail):
            violate(.deflateCorrupt, detail: detail)
            message?.drop()
        case .tooLarge: violateSize()
        case nil: break
        }
    }

    private func checkText(atEnd: Bool) {
        if let offset = message?.firstInvalid(atEnd: atEnd) {
            violate(.invalidText, offset: offset)
        }
    }

    /// Ends the message with the frame under way.
    func endMessage() {
        if let open = message, open.isDeflated, !open.isInflated,
            open.state == .sound || open.state == .invalid
        {
            inflate { inflater, bytes, limit throws(MessageInflater.Fault) in
                try inflater.finish(into: &bytes, limit: limit)
            }
        }
        checkText(atEnd: true)
        guard let open = message else { return }
        switch open.state {
        case .sound, .invalid: events.append(.message(open.message(lastFrame: frames)))
        case .unreadable: events.append(.unreadable(frames: open.firstFrame...frames))
        case .dropped: break
        }
        message = nil
    }

    /// Ends the control frame under way.
    func endControl(_ frame: WebSocketFrame) {
        switch frame.opcode {
        case .ping: events.append(.ping(frame.payload))
        case .pong: events.append(.pong(frame.payload))
        default: endClose(frame.payload)
        }
    }

    private func endClose(_ payload: [UInt8]) {
        hasClosed = true
        guard payload.count >= 2 else {
            if payload.count == 1 { violate(.closeTooShort) }
            events.append(.close(nil, reason: ""))
            return
        }
        let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        if !code.maySend { violate(.closeCode, detail: "\(code)") }
        let reason = payload[2...]
        if let offset = reason.span.firstInvalidUTF8() { violate(.invalidReason, offset: offset) }
        events.append(.close(code, reason: String(decoding: reason, as: UTF8.self)))
    }
}
