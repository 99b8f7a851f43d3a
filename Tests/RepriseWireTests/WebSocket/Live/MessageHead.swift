import RepriseWire

/// The head of an HTTP message on a socket, and the bytes that came behind it.
struct MessageHead {
    let start: String
    let headers: Headers
    private(set) var rest: [UInt8] = []

    init(_ start: String, _ headers: Headers) {
        self.start = start
        self.headers = headers
    }

    /// nil where the socket ends within it.
    init?(from socket: BlockingSocket) {
        var bytes: [UInt8] = []
        var end: Int?
        while end == nil {
            let more = socket.read()
            if more.isEmpty { return nil }
            bytes += more
            end = bytes.indices.dropLast(3).first {
                bytes[$0..<$0 + 4].elementsEqual([13, 10, 13, 10])
            }
        }
        let lines = String(decoding: bytes.prefix(end ?? 0), as: UTF8.self).split(separator: "\r\n")
        var headers = Headers()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers.append(String(parts[0]), String(parts[1].drop { $0 == " " }))
        }
        start = String(lines.first ?? "")
        self.headers = headers
        rest = Array(bytes.dropFirst((end ?? 0) + 4))
    }

    func write(to socket: BlockingSocket) {
        let lines = headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        socket.write(Array("\(start)\r\n\(lines)\r\n".utf8))
    }
}
