/// A web page, read strictly: elements that are not closed in their order are faults.
struct Page {
    struct Tag: Equatable {
        var name: String
        var attributes: [String: String] = [:]
    }

    /// Every element that opens, in order.
    private(set) var tags: [Tag] = []
    /// All text outside of the style sheet, entities resolved.
    private(set) var text = ""
    private(set) var style = ""
    private(set) var faults: [String] = []

    private var open: [String] = []
    private var rest: Substring

    init(_ html: String) {
        rest = html[...]
        if rest.hasPrefix("<!DOCTYPE html>\n") {
            rest = rest.dropFirst("<!DOCTYPE html>\n".count)
        } else {
            faults.append("no document type")
        }
        while !rest.isEmpty { readPiece() }
        if !open.isEmpty { faults.append("open at the end: \(open)") }
    }

    private mutating func readPiece() {
        let piece = rest.prefix { $0 != "<" }
        rest = rest[piece.endIndex...]
        if open.last == "style" {
            style += piece
        } else {
            if piece.contains(">") || piece.contains("\"") && open.last != "title" {
                faults.append("bare sign in \(piece)")
            }
            text += resolved(piece)
        }
        guard !rest.isEmpty else { return }
        guard let end = tagEnd else {
            faults.append("a tag without an end")
            rest = ""
            return
        }
        read(tag: rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
    }

    private var tagEnd: Substring.Index? {
        var isQuoted = false
        for index in rest.indices {
            if rest[index] == "\"" { isQuoted.toggle() }
            if rest[index] == ">" && !isQuoted { return index }
        }
        return nil
    }

    private mutating func read(tag: Substring) {
        if tag.hasPrefix("/") {
            let name = String(tag.dropFirst())
            if open.last == name { open.removeLast() } else { faults.append("\(name) is not open") }
            return
        }
        var tagRest = tag
        let name = String(tagRest.prefix { $0.isLetter || $0.isNumber })
        tagRest = tagRest.dropFirst(name.count)
        var read = Tag(name: name)
        while !tagRest.isEmpty {
            guard tagRest.removeFirst() == " " else {
                faults.append("no attribute: \(tag)")
                break
            }
            let key = String(tagRest.prefix { $0.isLetter || $0 == "-" })
            tagRest = tagRest.dropFirst(key.count)
            guard tagRest.hasPrefix("=\"") else {
                read.attributes[key] = ""
                continue
            }
            let value = tagRest.dropFirst(2).prefix { $0 != "\"" }
            tagRest = tagRest[value.endIndex...].dropFirst()
            read.attributes[key] = resolved(value)
        }
        tags.append(read)
        if name != "meta" { open.append(name) }
    }

    private mutating func resolved(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let character = rest.popFirst() {
            guard character == "&" else {
                result.append(character)
                continue
            }
            let name = rest.prefix { $0 != ";" }
            let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'"]
            if known[String(name)] == nil { faults.append("a bare ampersand in \(text)") }
            result += known[String(name)] ?? "&"
            rest = rest[name.endIndex...].dropFirst()
        }
        return result
    }
}
