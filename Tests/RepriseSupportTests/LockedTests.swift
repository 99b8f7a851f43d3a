import RepriseSupport
import Testing

struct LockedTests {
    @Test func countsFromManyTasks() async {
        let counter = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { counter.withLock { $0 += 1 } } }
            }
        }
        #expect(counter.withLock { $0 } == 8000)
    }

    @Test func isFreeAfterAnError() {
        struct Refusal: Error {}
        let locked = Locked(1)
        #expect(throws: Refusal.self) {
            try locked.withLock { (_: inout Int) throws(Refusal) in throw Refusal() }
        }
        #expect(locked.withLock { $0 } == 1)
    }
}
