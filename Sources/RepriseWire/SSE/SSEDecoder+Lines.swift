extension SSEDecoder {
    /// What was read of an event since the last blank line.
    struct PendingEvent: Sendable {
        /// Offset of its first field line; nil before that.
        var start: Int?
        /// The data buffer of the standard: each value and an LF.
        var data: [UInt8] = []
        var lineStarts = LineStarts()
        var type = ""
        var hasID = false
        /// Whether it grew above the limit and is read to its end only.
        var isOversized = false
    }

    /// Takes a whole line without its end.
    mutating func take(_ line: Span<UInt8>, start: Int, end: Int) {
        if form == .dataLines { return takeDataLine(line, start: start, end: end) }
        // Of a line that grew too large only a part may be here.
        if pending.isOversized && end - 1 > start { return }
        var skipped = 0
        if line.count >= 3, line[0] == 0xEF, line[1] == 0xBB, line[2] == 0xBF {
            if isFirstLine { skipped = 3 } else { remark(.byteOrderMark, start, start + 3) }
        }
        isFirstLine = false
        let rest = line.extracting(droppingFirst: skipped)
        if rest.isEmpty {
            dispatch(end: end)
            return
        }
        if pending.data.count + rest.count > sizeLimit {
            dropEvent(start)
            return
        }
        let invalid = rest.firstInvalidUTF8()
        if let invalid { remark(.invalidUTF8, start + skipped + invalid, end - 1) }
        takeField(rest, start: start, base: start + skipped, end: end, isUTF8: invalid == nil)
    }

    /// Takes a line as one that may be an event by itself.
    mutating func takeDataLine(_ line: Span<UInt8>, start: Int, end: Int) {
        defer { pending = PendingEvent() }
        let name: StaticString = "data: "
        let length = name.utf8CodeUnitCount
        guard !pending.isOversized, line.count >= length,
            line.extracting(first: length).equals(name)
        else { return }
        pending.start = start
        takeData(
            line.extracting(droppingFirst: length), at: start + length, end: end,
            isUTF8: line.firstInvalidUTF8() == nil)
        dispatch(end: end)
    }

    private mutating func takeField(
        _ line: Span<UInt8>, start: Int, base: Int, end: Int, isUTF8: Bool
    ) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        var valueStart = min(colon + 1, line.count)
        if valueStart < line.count, line[valueStart] == UInt8(ascii: " ") { valueStart += 1 }
        let name = line.extracting(first: colon)
        let value = line.extracting(droppingFirst: valueStart)
        if colon == 0 {
            let comment = Comment(text: value.text, start: base, end: end)
            items.append(.comment(comment))
        } else if name.equals("data") {
            takeData(value, at: base + valueStart, end: end, isUTF8: isUTF8)
        } else if name.equals("event") {
            pending.type = value.text
        } else if name.equals("id") {
            takeID(value, start: start, end: end)
        } else if name.equals("retry") {
            takeRetry(value, start: start, end: end)
            return
        } else {
            items.append(.unknownField(UnknownField(name: name.text, start: start, end: end)))
            return
        }
        if colon > 0, pending.start == nil { pending.start = start }
    }

    private mutating func takeData(
        _ value: Span<UInt8>, at offset: Int, end: Int, isUTF8: Bool
    ) {
        if !value.isEmpty, value[0] == UInt8(ascii: ":") {
            remark(.commentAsData, offset, end - 1)
        }
        if isUTF8 {
            pending.data.append(value, 0..<value.count)
        } else {
            pending.data.append(contentsOf: value.text.utf8)
        }
        pending.data.append(0x0A)
        pending.lineStarts.append(offset)
    }

    private mutating func takeID(_ value: Span<UInt8>, start: Int, end: Int) {
        guard value.firstIndex(of: 0) == nil else {
            remark(.nulInID, start, end - 1)
            return
        }
        idBuffer = value.text
        pending.hasID = true
    }

    private mutating func takeRetry(_ value: Span<UInt8>, start: Int, end: Int) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var isNumber = !value.isEmpty
        for index in value.indices where !(digits ~= value[index]) { isNumber = false }
        guard isNumber else {
            remark(.retryNotDigits, start, end - 1)
            return
        }
        let milliseconds = Int(value.text) ?? .max
        items.append(.retry(Retry(milliseconds: milliseconds, start: start, end: end)))
    }

    /// Ends the event at a blank line.
    private mutating func dispatch(end: Int) {
        if pending.isOversized {
            pending = PendingEvent()
            return
        }
        lastEventID = idBuffer
        guard let start = pending.start else { return }
        if pending.data.isEmpty {
            if pending.hasID || !pending.type.isEmpty {
                remark(.eventWithoutData, start, end - 1)
            }
        } else {
            pending.data.removeLast()
            let event = Event(
                type: pending.type.isEmpty ? "message" : pending.type, dataBytes: pending.data,
                lastEventID: lastEventID, start: start, end: end, lineStarts: pending.lineStarts)
            items.append(.event(event))
        }
        pending = PendingEvent()
    }
}

extension Span<UInt8> {
    fileprivate func firstIndex(of byte: UInt8) -> Int? {
        for index in indices where self[index] == byte { return index }
        return nil
    }

    fileprivate func equals(_ name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { expected in
            for index in indices where unsafe self[index] != expected[index] { return false }
            return true
        }
    }

    fileprivate var text: String {
        unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
