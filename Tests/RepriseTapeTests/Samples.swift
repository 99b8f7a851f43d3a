import RepriseSupport
import RepriseTape
import RepriseWire
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

enum Samples {
    static let session = SessionRecord(
        session: "0123456789abcdef", wall: "2026-11-30T06:06:00.000000001Z",
        recorder: "reprise/0.1.0")
}

/// A folder that goes with the value that made it.
final class TemporaryFolder {
    let root: String

    init() throws {
        var template = Array("/tmp/reprise-tape-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map {
                unsafe String(cString: $0)
            }
        }
        root = try #require(made)
    }

    deinit {
        for name in names() { unsafe unlink(path(name)) }
        unsafe rmdir(root)
    }

    func path(_ name: String) -> String { root + "/" + name }

    func names() -> [String] {
        guard let folder = unsafe opendir(root) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

func readFile(_ path: String) throws -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
        let count = unsafe chunk.withUnsafeMutableBytes { buffer in
            unsafe read(descriptor, buffer.baseAddress, buffer.count)
        }
        try #require(count >= 0)
        if count == 0 { return bytes }
        bytes += chunk.prefix(count)
    }
}

func writeFile(_ path: String, _ bytes: [UInt8]) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(descriptor, buffer.baseAddress, buffer.count)
    }
    try #require(count == bytes.count)
}

/// What a gzip file holds, and in how many members.
func gunzip(_ bytes: [UInt8]) throws -> (bytes: [UInt8], members: Int) {
    var output: [UInt8] = []
    var position = 0
    var members = 0
    while position < bytes.count {
        let inflate = Inflate(.gzip)
        try #require(try inflate.push(bytes, from: &position, into: &output) == .ended)
        members += 1
    }
    return (output, members)
}
