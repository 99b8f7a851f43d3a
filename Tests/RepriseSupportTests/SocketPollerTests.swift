import RepriseSupport
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("Waiting for sockets", .timeLimit(.minutes(1)))
struct SocketPollerTests {
    @Test("A socket is told of once it is ready for what was asked, and as long as it is watched")
    func readiness() throws {
        let poller = try #require(SocketPoller())
        let pair = try SocketPair()
        #expect(poller.wait(nanoseconds: 0).isEmpty)

        poller.watch(pair.near, for: .readable)
        #expect(poller.wait(nanoseconds: 0).isEmpty)
        pair.say("hello")
        #expect(poller.found() == [pair.near: .readable])
        poller.watch(pair.near, for: [.readable, .writable])
        #expect(poller.found() == [pair.near: [.readable, .writable]])
        poller.watch(pair.near, for: .writable)
        #expect(poller.found() == [pair.near: .writable])

        poller.watch(pair.near, for: [])
        #expect(poller.wait(nanoseconds: 0).isEmpty)
    }

    @Test("A peer that leaves is told of, with what it sent before unread")
    func left() throws {
        let poller = try #require(SocketPoller())
        let pair = try SocketPair()
        pair.say("bye")
        pair.leave()
        poller.watch(pair.near, for: .left)
        let readiness = try #require(poller.found()[pair.near])
        #expect(readiness.contains(.left))
    }

    @Test("A wake-up ends the wait under way or the next one, and is spent by it")
    func wakes() throws {
        let poller = try #require(SocketPoller())
        poller.wake()
        poller.wake()
        #expect(poller.wait(nanoseconds: nil).isEmpty)
        let (before, limit) = (Workspace.monotonic, Int64(2_000_000))
        while poller.wait(nanoseconds: limit).isEmpty, Workspace.monotonic - before < limit {}
        #expect(Workspace.monotonic - before >= limit)

        #expect(OwnThread.start { poller.wake() })
        #expect(poller.wait(nanoseconds: nil).isEmpty)
    }

    @Test("A limit of less than a millisecond is kept")
    func limits() throws {
        let poller = try #require(SocketPoller())
        let limit: Int64 = 200_000
        let waits = (0..<50).map { _ in
            let before = Workspace.monotonic
            #expect(poller.wait(nanoseconds: limit).isEmpty)
            return Workspace.monotonic - before
        }
        #expect(waits.allSatisfy { $0 >= limit })
        #if os(Linux)
        // The best of many: others use the machine, too.
        #expect(try #require(waits.min()) < 900_000)
        #endif
    }

    @Test("A limit that passed does not end a later wait for a socket for good")
    func staleLimit() throws {
        let poller = try #require(SocketPoller())
        let pair = try SocketPair()
        poller.watch(pair.near, for: .readable)
        pair.say("hello")
        // Ends at once and leaves its limit running.
        #expect(!poller.wait(nanoseconds: 1_000).isEmpty)
        _ = pair.hear()
        pair.say("again")
        #expect(poller.found() == [pair.near: .readable])
    }
}

extension SocketPoller {
    /// What is ready by and by; a wait may end early with nothing.
    fileprivate func found() -> [Int32: Readiness] {
        while true {
            let found = wait(nanoseconds: nil)
            if !found.isEmpty {
                return Dictionary(uniqueKeysWithValues: found.map { ($0.socket, $0.readiness) })
            }
        }
    }
}

/// Two connected sockets, closed with this.
private final class SocketPair {
    let near: Int32
    private let far: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw TestSupportError("no sockets", errno: errno)
        }
        (near, far) = (ends[0], ends[1])
    }

    deinit {
        close(near)
        close(far)
    }

    func say(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(unsafe write(far, bytes, bytes.count) == bytes.count)
    }

    func hear() -> Int {
        var bytes = [UInt8](repeating: 0, count: 64)
        return unsafe read(near, &bytes, bytes.count)
    }

    func leave() { shutdown(far, Int32(SHUT_WR)) }
}
