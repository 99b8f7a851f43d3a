internal import CSystem
internal import RepriseSession
internal import RepriseSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Standard output and error as a person or a pipe sees them.
struct Terminal: Sendable {
    /// Where results go.
    let output: OutputStream
    /// Where everything else goes: errors, progress, hints.
    let errors: OutputStream

    /// Both streams of this process.
    static func standard(environment: [String: String]) -> Terminal {
        Terminal(
            output: OutputStream(1, environment: environment),
            errors: OutputStream(2, environment: environment))
    }

    /// Writes `text` and a line end to standard output; control characters are the caller's to make
    /// visible.
    func print(_ text: String) { output.write(text + "\n") }

    /// Writes a line to standard error, behind the name of the program, and more lines below it.
    func complain(_ text: String, then more: [String] = []) {
        let lines = ["reprise: \(text)"] + more
        errors.write(lines.map { OutputStream.line($0) + "\n" }.joined())
    }

    /// Shows what is going on, on one line of standard error that the next call replaces; nothing
    /// where that is no terminal. An empty text removes the line.
    func progress(_ text: String) {
        guard errors.isTerminal, !errors.isDumb else { return }
        errors.write("\r\u{1B}[K" + OutputStream.line(text).prefix(max(0, errors.width - 1)))
    }
}

/// One output stream: written at once, coloured only on a terminal.
final class OutputStream: Sendable {
    private let descriptor: Int32
    /// Whether a person may be looking.
    let isTerminal: Bool
    /// Whether the terminal knows no control sequences.
    let isDumb: Bool
    /// Whether colours are wanted: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    let isColoured: Bool
    /// How many columns: `COLUMNS`, else the terminal's, else 100.
    let width: Int
    private let failure = Locked<Int32>(0)

    init(_ descriptor: Int32, environment: [String: String]) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        let refuses = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isDumb = environment["TERM"] == "dumb"
        isColoured = isTerminal && !refuses && !isDumb
        let columns = environment["COLUMNS"].flatMap { Int($0) } ?? 0
        let measured = columns > 0 ? columns : Int(reprise_terminal_columns(descriptor))
        width = measured > 0 ? max(measured, 40) : 100
    }

    /// The error number of the first write that failed, e.g. `ENOSPC`; 0 where none did. A reader
    /// that went away (`EPIPE`) counts, so that a command can stop early.
    var errorNumber: Int32 { failure.withLock { $0 } }

    func write(_ text: String) { write(bytes: Array(text.utf8)) }

    /// Writes all bytes, or nothing more once a write has failed.
    func write(bytes: [UInt8]) {
        failure.withLock { failure in
            guard failure == 0 else { return }
            var offset = 0
            while offset < bytes.count {
                let written = unsafe bytes.withUnsafeBytes { buffer in
                    unsafe OutputStream.systemWrite(
                        descriptor, UnsafeRawBufferPointer(rebasing: buffer[offset...]))
                }
                if written >= 0 {
                    offset += written
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
    }

    private static func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        unsafe Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #else
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    /// How text may look.
    enum Style: String, Sendable {
        case bold = "1"
        case faint = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
        case cyan = "36"
    }

    /// `text` in a style where colours are wanted.
    func styled(_ text: String, _ style: Style) -> String {
        isColoured ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// JSON that means the same and, on a terminal, holds no control character: what JSON need not
    /// escape, a terminal may obey.
    func harmless(json text: String) -> String {
        guard isTerminal else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if (0x7F..<0xA0).contains(scalar.value) {
                result += "\\u00" + String(scalar.value, radix: 16)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// `text` on one line, with everything made visible that changes how the rest is seen: for
    /// names and recorded content that must not look like lines of this program.
    static func line(_ text: String) -> String { SeenText.visible(text) }

    /// `text` with control characters made visible, so that recorded content cannot steer the
    /// terminal; line ends and tabs stay.
    static func printable(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
            if isControl && scalar != "\n" && scalar != "\t" {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
