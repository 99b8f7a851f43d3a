/// Jobs by their time; of those with the same time the first that was added goes first.
struct TimerQueue {
    private struct Entry {
        var time: Int64
        var number: UInt64
        var job: ServerLoop.Job

        func isBefore(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
    }

    /// A binary heap: no entry is before its parent.
    private var heap: [Entry] = []
    private var added: UInt64 = 0

    /// The earliest time; nil where there is no job.
    var first: Int64? { heap.first?.time }

    /// Adds a job. O(log n).
    mutating func add(_ job: @escaping ServerLoop.Job, at time: Int64) {
        heap.append(Entry(time: time, number: added, job: job))
        added += 1
        var place = heap.count - 1
        while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes the first job whose time is not after `now`. O(log n).
    mutating func next(until now: Int64) -> ServerLoop.Job? {
        guard let first = heap.first, first.time <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first.job }
        heap[0] = last
        var place = 0
        while true {
            let children = [2 * place + 1, 2 * place + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { heap[$0].isBefore(heap[$1]) }),
                heap[least].isBefore(heap[place])
            else { return first.job }
            heap.swapAt(place, least)
            place = least
        }
    }
}
