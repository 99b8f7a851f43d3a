internal import AgoKit

/// The systems that Reprise knows: a line each.
public enum Vendors {
    /// What their protocols mean, in the order in which they are asked to claim an exchange.
    public static let dialects: [any Dialect] = []

    /// Their clients, built from a tape to run its operations again.
    public static let clients: [any ClientReplayer.Type] = []
}
