/// Byte strings to search for, as a tree that only grows: a place in it stays good when more are
/// added, so that a search may be halfway when a secret is learned.
struct SecretTrie: Sendable {
    private struct Node {
        var byte: UInt8
        var firstChild: Int32 = 0
        var nextSibling: Int32 = 0
        /// The secret that ends here; -1 for none.
        var secret: Int32 = -1
    }

    /// The root, where no byte is matched.
    static let root: Int32 = 0

    private var nodes = [Node(byte: 0)]
    /// The children of the root by their byte, since most bytes lead nowhere; 0 for none.
    private var first = [Int32](repeating: 0, count: 256)

    /// Whether there is nothing to search for.
    var isEmpty: Bool { nodes.count == 1 }

    /// Adds a form of a secret; a form that is there keeps its secret.
    mutating func insert(_ form: [UInt8], secret: Int) {
        var node = SecretTrie.root
        for byte in form {
            let next = child(of: node, byte)
            node = next == 0 ? append(byte, to: node) : next
        }
        if node != SecretTrie.root, nodes[Int(node)].secret < 0 {
            nodes[Int(node)].secret = Int32(secret)
        }
    }

    /// The place behind `byte`; 0 where no form goes on so. O(1) at the root, else O(forms that
    /// part there).
    func child(of node: Int32, _ byte: UInt8) -> Int32 {
        if node == SecretTrie.root { return first[Int(byte)] }
        var child = nodes[Int(node)].firstChild
        while child != 0, nodes[Int(child)].byte != byte { child = nodes[Int(child)].nextSibling }
        return child
    }

    /// The secret that ends at a place.
    func secret(at node: Int32) -> Int? {
        let secret = nodes[Int(node)].secret
        return secret < 0 ? nil : Int(secret)
    }

    private mutating func append(_ byte: UInt8, to parent: Int32) -> Int32 {
        let place = Int32(nodes.count)
        var node = Node(byte: byte)
        node.nextSibling = nodes[Int(parent)].firstChild
        nodes.append(node)
        nodes[Int(parent)].firstChild = place
        if parent == SecretTrie.root { first[Int(byte)] = place }
        return place
    }
}
