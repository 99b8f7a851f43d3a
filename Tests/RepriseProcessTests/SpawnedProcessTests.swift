import RepriseProcess
import RepriseSupport
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite("Starting programs", .timeLimit(.minutes(1)))
struct SpawnedProcessTests {
    @Test("Each stream that is piped is a pipe of its own; the rest is shared")
    func streams() throws {
        let line = "tr a-z A-Z; echo to errors >&2; echo $WHO"
        let process = try SpawnedProcess(
            "/bin/sh", ["-c", line], environment: ["WHO": "me"], options: .init(pipesErrors: true))
        #expect(unsafe write(process.input, "hello ", 6) == 6)
        close(process.input)
        #expect(Self.all(of: process.output) == "HELLO me\n")
        #expect(Self.all(of: try #require(process.errors)) == "to errors\n")
        #expect(Self.status(process.pid) == 0)

        let other = try SpawnedProcess("/bin/cat", [], environment: [:])
        #expect(other.errors == nil)
        close(other.input)
        #expect(Self.all(of: other.output) == "")
        #expect(Self.status(other.pid) == 0)
    }

    @Test("None keeps another's pipes open, however many start at once")
    func inheritance() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let process = try SpawnedProcess("/bin/cat", [], environment: [:])
                    close(process.input)
                    // It ends only where nobody else holds its input.
                    #expect(Self.all(of: process.output) == "")
                    #expect(Self.status(process.pid) == 0)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "It leads a process group of its own only where that is asked for",
        arguments: [true, false])
    func group(_ leads: Bool) throws {
        let process = try SpawnedProcess(
            "/bin/cat", [], environment: [:], options: .init(leadsGroup: leads))
        #expect(getpgid(process.pid) == (leads ? process.pid : getpgid(0)))
        close(process.input)
        #expect(Self.all(of: process.output) == "")
        #expect(Self.status(process.pid) == 0)
    }

    @Test("What cannot be started is told, and leaves no descriptor behind")
    func failure() throws {
        var texts: Set<String> = []
        for _ in 0..<1000 {
            do {
                _ = try SpawnedProcess("/no/such/program", [], environment: [:])
            } catch {
                texts.insert(error.description)
            }
        }
        #expect(texts == ["/no/such/program cannot be started: there is no such file"])
        // The lowest number that is free.
        let next = dup(0)
        #expect(next >= 0 && next < 1000)
        close(next)
    }

    private static func all(of end: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            let count = unsafe read(end, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        close(end)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func status(_ pid: Int32) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return (status >> 8) & 0xff
    }
}
