/// Declared JSON paths, followed step by step from the outermost value.
struct PathSet: Sendable {
    private struct Path {
        var rule: String
        /// The steps; nil for `*`.
        var steps: [String?]
    }

    private let paths: [Path]

    /// Paths such as `data.authToken` or `items.*.key`; an empty one is the whole value.
    init(_ texts: [String]) {
        paths = texts.map { text in
            let steps =
                text.isEmpty ? [] : text.split(separator: ".", omittingEmptySubsequences: false)
            return Path(rule: "json:" + text, steps: steps.map { $0 == "*" ? nil : String($0) })
        }
    }

    /// Whether there are none.
    var isEmpty: Bool { paths.isEmpty }

    /// A place in a value: which paths lead on from here, and which one ended here.
    struct Place: Sendable {
        fileprivate var alive: [Int]
        /// The rule of the path that ended here or further out.
        var rule: String?

        /// Whether it matters how the next step is called.
        var isOpen: Bool { !alive.isEmpty }
    }

    /// The outermost value.
    var root: Place {
        let ended = paths.first { $0.steps.isEmpty }
        return Place(alive: ended == nil ? Array(paths.indices) : [], rule: ended?.rule)
    }

    /// The place one step further in, at `depth` steps from the root.
    func step(from place: Place, depth: Int, to name: String) -> Place {
        if place.rule != nil || place.alive.isEmpty { return place }
        let matching = place.alive.filter { index in
            let steps = paths[index].steps
            return depth <= steps.count && (steps[depth - 1] == nil || steps[depth - 1] == name)
        }
        let ended = matching.first { paths[$0].steps.count == depth }
        return Place(alive: ended == nil ? matching : [], rule: ended.map { paths[$0].rule })
    }
}
