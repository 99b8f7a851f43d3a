internal import RepriseWire

/// Cuts the deliveries of one body anew.
package final class BodyCutter {
    private enum Way {
        /// Cut where something finds places; the recorded cuts stay.
        case places((Delivery) -> [Int])
        /// Cut and joined to lengths.
        case lengths(() -> Int)
    }

    private let way: Way
    /// What is not given yet.
    private var held: Delivery?
    /// The length of the piece under way.
    private var length = 0

    /// - Parameters:
    ///   - codings: How the body is coded, in the order applied.
    ///   - member: Which exchange of the session it is, so that each is cut differently at random.
    package init(_ cuts: Cuts, codings: [String], member: UInt64) {
        switch cuts {
        case .asRecorded, .insideFrameHeads: way = .places { _ in [] }
        case .everyByte: way = .places { Array($0.bytes.indices) }
        case .insideCharacters, .beforeLineEnds:
            let places = CodedTextPlaces(
                cuts == .insideCharacters ? .insideCharacters : .beforeLineEnds, codings: codings)
            way = .places { places.places(in: $0.bytes, isDecoded: $0.isDecoded) }
        case .insideCodingHeads:
            let places = CodingHeadPlaces(coding: codings.last)
            way = .places { $0.isDecoded ? [] : places.places(in: $0.bytes) }
        case .oneBlob, .random: way = .lengths(cuts.lengths(member))
        }
    }

    /// Whether something is held until more comes or ``finish()``.
    package var isHolding: Bool { held != nil }

    /// Takes the next delivery: the pieces that are whole now.
    package func push(_ delivery: Delivery) -> [Delivery] {
        switch way {
        case .places(let places): delivery.cut(before: places(delivery))
        case .lengths(let lengths): push(delivery, lengths)
        }
    }

    /// Says that nothing follows for now: what was held.
    package func finish() -> [Delivery] {
        defer {
            held = nil
            length = 0
        }
        return held.map { [$0] } ?? []
    }

    private func push(_ delivery: Delivery, _ lengths: () -> Int) -> [Delivery] {
        var pieces: [Delivery] = []
        if let held, held.isDecoded != delivery.isDecoded { pieces = finish() }
        var rest = delivery.bytes[...]
        while !rest.isEmpty {
            if held == nil { length = lengths() }
            var piece = held ?? Delivery(bytes: [], time: 0, isDecoded: delivery.isDecoded)
            let part = rest.prefix(length - piece.bytes.count)
            rest = rest.dropFirst(part.count)
            piece.bytes += part
            piece.time = delivery.time
            held = piece
            if piece.bytes.count == length { pieces += finish() }
        }
        return pieces
    }
}

extension Cuts {
    /// The lengths of pieces, one after the other.
    fileprivate func lengths(_ member: UInt64) -> () -> Int {
        guard case .random(let seed) = self else { return { .max } }
        var lengths = RandomLengths(seed: seed, member: member)
        return { lengths.next() }
    }
}

extension Delivery {
    /// Its pieces between ascending offsets.
    func cut(before places: [Int]) -> [Delivery] {
        let inner = places.filter { $0 > 0 && $0 < bytes.count }
        if inner.isEmpty { return [self] }
        return zip([0] + inner, inner + [bytes.count]).map { start, end in
            Delivery(bytes: Array(bytes[start..<end]), time: time, isDecoded: isDecoded)
        }
    }
}
