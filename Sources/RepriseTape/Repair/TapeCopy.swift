/// Makes a sealed tape of all that a reader gives: what `import` and `repair` do.
///
/// Frames keep their numbers, times and payloads. What is lost stays told: its frame numbers are
/// left out, and the member behind them says that they were lost (the index does, where the end is
/// unknown), so that every reader of the copy reports a damage of kind `lost`. Frames that no
/// checksum vouched for stay unverified, in members of their own.
package enum TapeCopy {
    /// Copies to a file that appears under its name only when it is whole.
    ///
    /// - Parameters:
    ///   - replacing: Whether a file of that name is replaced; otherwise there may be none.
    ///   - unlessWhole: Whether a tape without damage is not copied after all.
    ///   - progress: Told the bytes read so far.
    /// - Returns: What the reader found.
    /// - Throws: ``TapeError`` with what the reader or the writer throws, and with code `notATape`
    ///   where there is no frame; there is no file then.
    package static func run(
        from reader: TapeReader, to path: String, replacing: Bool = false,
        unlessWhole: Bool = false, progress: (UInt64) -> Void = { _ in }
    ) throws(TapeError) -> TapeSummary {
        try run(from: reader, unlessWhole: unlessWhole, progress: progress) {
            tape throws(TapeError) in
            try TapeWriter(copyingTo: path, tape: tape, replacing: replacing)
        }
    }

    /// Copies to an open descriptor, for instance standard output.
    package static func run(
        from reader: TapeReader, toDescriptor descriptor: Int32, name: String,
        progress: (UInt64) -> Void = { _ in }
    ) throws(TapeError) -> TapeSummary {
        try run(from: reader, unlessWhole: false, progress: progress) { tape in
            TapeWriter(descriptor: descriptor, name: name, tape: tape)
        }
    }

    private static func run(
        from reader: TapeReader, unlessWhole: Bool, progress: (UInt64) -> Void,
        open: (TapeID) throws(TapeError) -> TapeWriter
    ) throws(TapeError) -> TapeSummary {
        var item = try reader.next()
        let writer = try open(reader.tape ?? id(of: item))
        do throws(TapeError) {
            while let next = item {
                copy(next, to: writer)
                try writer.drain()
                progress(reader.summary.endOffset)
                item = try reader.next()
            }
            guard reader.summary.frames > 0 else {
                throw TapeError(.notATape, "there is no frame in it", file: reader.file)
            }
            if unlessWhole && reader.summary.damageCount == 0 {
                writer.discard()
            } else {
                try writer.close()
            }
        } catch {
            writer.discard()
            throw error
        }
        return reader.summary
    }

    /// The id of a tape of lines comes from the session, or, without one, from what it begins
    /// with.
    private static func id(of item: TapeReader.Item?) -> TapeID {
        if case .frame(let frame)? = item, case .session(let record)? = try? frame.content() {
            return TapeID(session: record.session)
        }
        return TapeID(hashing: item?.jsonLine ?? [])
    }

    private static func copy(_ item: TapeReader.Item, to writer: TapeWriter) {
        switch item {
        case .frame(let frame):
            if frame.number > writer.nextFrame { writer.skip(to: frame.number) }
            writer.append(frame)
        case .damage(let damage):
            // Where nothing is lost, the copy simply does without the damage.
            guard damage.frames?.isEmpty != true else { return }
            writer.skip(to: damage.frames?.upperBound)
        }
    }
}
