import RepriseTape
import TestSupport
import Testing

/// The article on the format says what the code does.
@Suite struct FormatDocumentTests {
    static func article() throws -> String {
        let path = Workspace.root + "/Sources/Reprise/Reprise.docc/TapeFormat.md"
        return String(decoding: try readFile(path), as: UTF8.self)
    }

    @Test func everyKindIsInTheTable() throws {
        let article = try Self.article()
        for raw in UInt8.min...UInt8.max {
            let kind = Frame.Kind(rawValue: raw)
            guard let name = kind.name else { continue }
            let row = article.split(separator: "\n").first {
                $0.hasPrefix("| \(raw) | `\(name)` |")
            }
            #expect(row != nil, "kind \(raw)")
            guard !kind.isBinary, kind != .index else { continue }
            for key in RecordKeys.order[kind] ?? [] {
                #expect(row?.contains("`\(key)`") == true, "\(name) \(key)")
            }
        }
    }

    @Test func everyDamageIsInTheTable() throws {
        let article = try Self.article()
        for kind in Damage.Kind.allCases {
            let rule = Damage(kind, "").rule
            let row = article.split(separator: "\n").first {
                $0.hasPrefix("| `\(kind.rawValue)` |")
            }
            #expect(row?.contains("`\(rule)`") == true, "\(kind)")
        }
    }

    @Test func theNumbersAreRight() throws {
        let article = try Self.article()
        #expect(article.contains("262,144 bytes"))
        #expect(TapeFormat.memberSize == 262_144)
        #expect(article.contains("at most\n67,108,864"))
        #expect(TapeFormat.maximumFrameLength == 67_108_864)
        #expect(article.contains("| 50 on |"))
        #expect(MemberHeader.size == 50)
        #expect(article.contains("empty member of 68 bytes"))
        #expect(MemberHeader.locatorSize == 68)
        var header = MemberHeader(
            tape: TapeID(session: "0123456789abcdef"), number: 1, firstFrame: 2, start: -1)
        #expect(
            header.bytes.prefix(46) == [
                0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 38, 0, 0x52, 0x50, 34, 0, 1, 0, 0x01, 0x23,
                0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff,
                0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
            ])
        header.flags = .locator
        #expect(Array(header.bytes[10...15]) == [46, 0, 0x52, 0x50, 42, 0])
        #expect(header.bytes.count == 58)
    }

    @Test func theLinesOfTheArticleCanBeRead() throws {
        let lines = try Self.article().split(separator: "\n").filter {
            $0.hasPrefix("{\"kind\":") && !$0.contains("damage")
        }
        #expect(lines.count == 5)
        for line in lines {
            let tape = try ReadTape(Array(line.utf8))
            #expect(tape.items.first.map { Array(line.utf8) == $0.jsonLine } == true)
        }
    }
}
