/// A command line that cannot be understood: what is wrong, and what to do.
struct UsageError: Error, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
