#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The verdict on one case of the Autobahn test suite.
package struct AutobahnCase: Decodable, CustomStringConvertible {
    package var id: String
    /// `OK`, `NON-STRICT`, `INFORMATIONAL`, `UNIMPLEMENTED`, `FAILED` or `ERROR`.
    package var behavior: String
    /// The same of the closing, with names of its own for failures.
    package var close: String
    package var why: String?

    /// Whether it is as strict as can be; some cases only ask for information.
    package var isStrict: Bool {
        ["OK", "INFORMATIONAL"].contains(behavior) && ["OK", "INFORMATIONAL"].contains(close)
    }

    package var description: String { "\(id): \(behavior), close \(close): \(why ?? "")" }

    /// The cases that every run of the tests has: all of framing, pings, reserved bits, opcodes,
    /// fragments, UTF-8 and closing, and of compression some of each size and agreement. With
    /// `REPRISE_AUTOBAHN` in the environment those that it names instead (globs such as `12.*`).
    package static var chosen: [String] {
        if let named { return named }
        return (1...7).map { "\($0).*" } + [
            "10.*", "12.1.1", "12.1.3", "12.2.2", "12.3.4", "12.4.11", "13.1.2", "13.2.1",
            "13.3.3", "13.4.1", "13.5.2", "13.6.1", "13.7.11",
        ]
    }

    /// The cases that the environment names; nil where it names none.
    package static var named: [String]? {
        ProcessInfo.processInfo.environment["REPRISE_AUTOBAHN"]?
            .split(separator: " ").map(String.init)
    }

    /// The verdicts in a log.
    package static func all(in log: String) throws -> [AutobahnCase] {
        let text = try Data(contentsOf: URL(fileURLWithPath: log))
        return try text.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(AutobahnCase.self, from: $0)
        }
    }
}
