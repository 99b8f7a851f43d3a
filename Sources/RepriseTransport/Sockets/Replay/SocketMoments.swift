/// When what a WebSocket's server did is due again, counted from what the client does now.
///
/// Something of the server's comes as long after the last thing that the client did before it as
/// it was recorded to, however long the client took for that. What was recorded before something
/// that the client does is due then at the latest.
struct SocketMoments {
    private let events: [SocketScript.Event]
    private let opening: UInt64
    /// The frame of what the client has done that is the furthest on the tape.
    private var last: UInt64
    /// How much later than recorded that happened.
    private var shift: Int64
    /// When the client did anything of it; what follows on the tape has waited for that.
    private var floor = Int64.min
    /// The moments of the first events, which nothing changes any more.
    private var settled: [Int64] = []

    /// - Parameters:
    ///   - events: What the server did, in order.
    ///   - opening: The frame of the request.
    ///   - shift: How much later than recorded that came.
    init(_ events: [SocketScript.Event], opening: UInt64, shift: Int64) {
        self.events = events
        self.opening = opening
        last = opening
        self.shift = shift
    }

    /// When an event is due.
    subscript(place: Int) -> Int64 {
        if place < settled.count { return settled[place] }
        return max(events[place].time.saturatingAdd(shift), floor)
    }

    /// The client does again what it did in `frame`, at `time`.
    mutating func act(frame: UInt64, time: Int64, now: Int64) {
        guard frame > opening else { return }
        defer { floor = max(floor, now) }
        guard frame > last else { return }
        while settled.count < events.count, events[settled.count].frame < frame {
            settled.append(min(self[settled.count], now))
        }
        last = frame
        shift = now.saturatingSubtract(time)
    }
}
