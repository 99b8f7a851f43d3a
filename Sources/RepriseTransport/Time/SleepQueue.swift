/// Who sleeps until when: a binary heap, of which those that were woken otherwise fall out in time.
struct SleepQueue {
    /// A sleeper and its place in the order.
    struct Entry {
        /// When it is woken.
        var deadline: Int64
        /// Of two with the same deadline the lower one is woken first.
        var rank: UInt64
        /// Of two with the same rank as well, who slept first.
        var number: UInt64
        var sleeper: Suspension

        static func < (one: Entry, other: Entry) -> Bool {
            (one.deadline, one.rank, one.number) < (other.deadline, other.rank, other.number)
        }
    }

    private var heap: [Entry] = []
    private var count: UInt64 = 0
    /// About how many in the heap do not sleep any more.
    private var gone = 0

    mutating func add(_ sleeper: Suspension, until deadline: Int64, rank: UInt64) {
        count += 1
        heap.append(Entry(deadline: deadline, rank: rank, number: count, sleeper: sleeper))
        rise(heap.count - 1)
    }

    /// The next to be woken; nil where nobody sleeps.
    mutating func popFirst() -> Entry? {
        while let first = heap.first {
            removeFirst()
            if !first.sleeper.isOver { return first }
            gone = max(0, gone - 1)
        }
        return nil
    }

    /// All that sleep, in order; none do any longer.
    mutating func removeAll() -> [Entry] {
        defer { (heap, gone) = ([], 0) }
        return heap.filter { !$0.sleeper.isOver }.sorted { $0 < $1 }
    }

    /// One of them was woken otherwise.
    mutating func noteGone() {
        gone += 1
        guard gone > 64, gone > heap.count / 2 else { return }
        // A sorted array is a heap.
        heap = removeAll()
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        sink(0)
    }

    private mutating func rise(_ place: Int) {
        var place = place
        while place > 0, heap[place] < heap[(place - 1) / 2] {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(_ place: Int) {
        var place = place
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                if heap[child] < heap[least] { least = child }
            }
            if least == place { return }
            heap.swapAt(place, least)
            place = least
        }
    }
}
