/// What a client needs to keep its own credentials out of what it writes down.
public enum Masking {
    /// A mask of the length of `text` in UTF-8, for a credential whose shape is to be shown, for
    /// instance in a client's configuration.
    public static func stars(_ text: String) -> String {
        String(repeating: "*", count: text.utf8.count)
    }
}
