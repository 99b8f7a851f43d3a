internal import RepriseSupport

extension Frame {
    /// Appends `length varint · kind u8 · exchange varint · Δt zigzag varint · payload`, where the
    /// length counts all that follows it.
    static func append(
        kind: Kind, exchange: UInt64, delta: Int64, payload: [UInt8], to bytes: inout [UInt8]
    ) {
        let delta = Varint.zigzag(delta)
        let length = 1 + size(exchange) + size(delta) + payload.count
        Varint.append(UInt64(length), to: &bytes)
        bytes.append(kind.rawValue)
        Varint.append(exchange, to: &bytes)
        Varint.append(delta, to: &bytes)
        bytes.append(contentsOf: payload)
    }

    /// How many bytes `value` takes as a varint.
    private static func size(_ value: UInt64) -> Int {
        max(1, (UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7)
    }

    /// Reads the next frame of a member.
    ///
    /// - Parameter time: The time from which its own counts; its own afterwards.
    init(
        from reader: inout ByteReader, number: UInt64, time: inout Int64, isVerified: Bool
    ) throws(ByteReader.Failure) {
        let length = try reader.varint()
        var body = ByteReader(try reader.slice(length))
        let kind = Kind(rawValue: try body.byte())
        let exchange = try body.varint()
        let moment = time &+ Varint.unzigzag(try body.varint())
        time = moment
        self.init(
            number: number, exchange: exchange, time: moment, kind: kind,
            payload: Array(body.rest()), isVerified: isVerified)
    }
}
