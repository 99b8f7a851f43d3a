/// Counts in words.
package enum Counted {
    /// `1 frame`, `2 frames`.
    package static func text(_ count: some BinaryInteger, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
