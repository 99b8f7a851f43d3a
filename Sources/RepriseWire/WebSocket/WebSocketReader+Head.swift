extension WebSocketReader {
    /// Judges the head of a frame, and opens its message.
    func open(_ frame: WebSocketFrame, isInflated: Bool) -> FramePart {
        if hasClosed { return openBehindClose(frame) }
        if frame.rsv2 || frame.rsv3 { violate(.reservedBits) }
        if frame.opcode.isReserved {
            violate(.reservedOpcode)
            return .skipped
        }
        return frame.opcode.isControl
            ? openControl(frame) : openData(frame, isInflated: isInflated)
    }

    /// A peer drops what follows a close (RFC 6455 section 1.4); data may not even be sent.
    private func openBehindClose(_ frame: WebSocketFrame) -> FramePart {
        if !frame.opcode.isControl { violate(.dataBehindClose) }
        return .skipped
    }

    private func openControl(_ frame: WebSocketFrame) -> FramePart {
        if frame.rsv1 { violate(inflater == nil ? .deflateNotNegotiated : .deflateMisplaced) }
        guard frame.isFinal else {
            violate(.controlFragmented)
            return .skipped
        }
        return .control
    }

    private func openData(_ frame: WebSocketFrame, isInflated: Bool) -> FramePart {
        if frame.opcode == .continuation {
            if frame.rsv1 { violate(inflater == nil ? .deflateNotNegotiated : .deflateMisplaced) }
            if message == nil {
                violate(.nothingToContinue)
                // What goes on with it belongs to the same fault.
                message = OpenMessage(frame, number: frames, state: .dropped)
            }
        } else {
            if let message {
                violate(.messageInterrupted)
                if message.isDeflated { inflater?.abandon() }
            }
            message = OpenMessage(
                frame, number: frames, state: state(of: frame, isInflated: isInflated))
        }
        return .data(taken: 0)
    }

    private func state(of frame: WebSocketFrame, isInflated: Bool) -> OpenMessage.State {
        guard frame.rsv1 else { return .sound }
        guard let inflater else {
            violate(.deflateNotNegotiated)
            return .dropped
        }
        return inflater.isLost && !isInflated ? .unreadable : .sound
    }
}
