import RepriseSupport

/// Inflates the deflated messages of one direction (RFC 7692 section 7.2.2), in any pieces.
/// Not thread-safe.
package final class MessageInflater {
    /// Why a message cannot be inflated.
    package enum Fault: Error, Equatable, Sendable {
        /// The data is not of the format.
        case corrupt(String)
        /// More comes out than was allowed.
        case tooLarge
    }

    private let inflate: Inflate
    private let forgets: Bool
    private let step: Int

    /// Whether a fault left a context that later messages would refer to.
    package private(set) var isLost = false

    /// How many bytes of the push that failed were looked at.
    package private(set) var faultOffset = 0

    /// An inflater for a direction whose sender keeps to these parameters.
    package init(windowBits: Int, noContextTakeover: Bool) {
        inflate = Inflate(.raw(windowBits: Int32(windowBits)))
        forgets = noContextTakeover
        // zlib looks beyond its window where that is in the same piece of output: small pieces let
        // it see that a sender's window was larger than agreed.
        step = windowBits < 15 ? 64 : .max
    }

    /// Inflates a message's bytes from `position` and appends what they hold.
    ///
    /// - Parameter limit: How many bytes `output` may have.
    package func push(
        _ input: [UInt8], from position: Int = 0, into output: inout [UInt8], limit: Int
    ) throws(Fault) {
        var position = position
        while true {
            let room = min(step, max(1, limit - output.count))
            let status = try pushStep(input, &position, into: &output, room: room)
            if output.count > limit { throw fail(.tooLarge) }
            switch status {
            case .needsInput: return
            case .outputLimit: break
            case .ended:
                // A sender may end its stream within a message (section 7.2.3.5); another follows.
                inflate.continueBehindEnd()
                if position >= input.count { return }
            }
        }
    }

    /// Ends a message: appends what its last bytes hold.
    package func finish(into output: inout [UInt8], limit: Int) throws(Fault) {
        // What the sender took away (section 7.2.1).
        try push(MessageDeflater.tail, into: &output, limit: limit)
        guard inflate.isBetweenBlocks else {
            throw fail(.corrupt("the message ends within a block"))
        }
        if forgets { inflate.reset() }
    }

    private func pushStep(
        _ input: [UInt8], _ position: inout Int, into output: inout [UInt8], room: Int
    ) throws(Fault) -> Inflate.Status {
        do throws(Inflate.Failure) {
            return try inflate.push(input, from: &position, into: &output, outputLimit: room)
        } catch {
            faultOffset = position
            throw fail(.corrupt(error.message))
        }
    }

    /// Gives up on a message that did not end.
    package func abandon() {
        inflate.reset()
        isLost = !forgets
    }

    private func fail(_ fault: Fault) -> Fault {
        abandon()
        return fault
    }
}
