internal import RepriseSupport
package import RepriseWire

/// Where on a tape its members and exchanges are: a hint that is checked against the members.
package struct TapeIndex: Sendable, Hashable {
    /// A member with frames.
    package struct Member: Sendable, Hashable {
        /// Byte offset of its header.
        package var offset: UInt64
        /// The number of its first frame.
        package var firstFrame: UInt64
        /// Its start time in nanoseconds.
        package var start: Int64

        package init(offset: UInt64, firstFrame: UInt64, start: Int64) {
            self.offset = offset
            self.firstFrame = firstFrame
            self.start = start
        }
    }

    /// An exchange other than the session, and the members from its first to its last frame.
    package struct Exchange: Sendable, Hashable {
        package var number: UInt64
        package var firstMember: Int
        package var lastMember: Int
    }

    /// The number behind the last frame's: with a loss more than there are frames.
    package var frames: UInt64 = 0
    /// The latest time of any frame, in nanoseconds; 0 without frames.
    package var end: Int64 = 0
    /// The members with frames, in order.
    package var members: [Member] = []
    /// The exchanges in order of their first frame.
    package var exchanges: [Exchange] = []

    /// Place of each exchange in `exchanges`, and of the one met last.
    private var places: [UInt64: Int] = [:]
    private var latest: (number: UInt64, place: Int)?

    package init() {}

    package mutating func add(_ member: Member) { members.append(member) }

    /// Counts a frame of the member added last.
    package mutating func count(exchange: UInt64, time: Int64, number: UInt64) {
        end = frames == 0 ? time : max(end, time)
        frames = number &+ 1
        guard exchange != 0 else { return }
        let member = members.count - 1
        if let latest, latest.number == exchange {
            exchanges[latest.place].lastMember = member
        } else if let place = places[exchange] {
            exchanges[place].lastMember = member
            latest = (exchange, place)
        } else {
            places[exchange] = exchanges.count
            latest = (exchange, exchanges.count)
            exchanges.append(
                Exchange(number: exchange, firstMember: member, lastMember: member))
        }
    }

    package static func == (left: TapeIndex, right: TapeIndex) -> Bool {
        left.frames == right.frames && left.end == right.end && left.members == right.members
            && left.exchanges == right.exchanges
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(frames)
        hasher.combine(members)
    }
}

extension TapeIndex {
    /// `{"frames":n,"end":t,"members":[[offset,firstFrame,start]…],"exchanges":[[x,first,last]…]}`
    package var json: JSON {
        [
            "frames": .integer(frames), "end": .integer(end),
            "members": .array(
                members.map {
                    [.integer($0.offset), .integer($0.firstFrame), .integer($0.start)]
                }),
            "exchanges": .array(
                exchanges.map {
                    [.integer($0.number), .integer($0.firstMember), .integer($0.lastMember)]
                }),
        ]
    }

    /// The index of an index frame's payload; nil where it is none.
    package init?(json: JSON) {
        guard case .number(let count)? = json["frames"], let frames = UInt64(count),
            let end = json["end"]?.integer, let members = json["members"]?.array,
            let exchanges = json["exchanges"]?.array
        else { return nil }
        self.frames = frames
        self.end = end
        for entry in members {
            guard let numbers = entry.array, numbers.count == 3,
                case .number(let offset) = numbers[0], let offset = UInt64(offset),
                case .number(let first) = numbers[1], let first = UInt64(first),
                let start = numbers[2].integer
            else { return nil }
            self.members.append(Member(offset: offset, firstFrame: first, start: start))
        }
        for entry in exchanges {
            guard let numbers = entry.array, numbers.count == 3,
                case .number(let number) = numbers[0], let number = UInt64(number),
                let first = numbers[1].integer.flatMap({ Int(exactly: $0) }),
                let last = numbers[2].integer.flatMap({ Int(exactly: $0) })
            else { return nil }
            self.exchanges.append(
                Exchange(number: number, firstMember: first, lastMember: last))
        }
    }
}
