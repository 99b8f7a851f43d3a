internal import RepriseWire

/// Where in bytes a reader of their text is to be surprised.
struct TextPlaces {
    enum Kind: Sendable {
        case insideCharacters
        case beforeLineEnds
    }

    private let kind: Kind
    private var character = UTF8Sequence()

    init(_ kind: Kind) { self.kind = kind }

    /// The offsets in `bytes` before which to cut, ascending; they go on with the bytes before.
    mutating func places(in bytes: [UInt8]) -> [Int] {
        bytes.indices.filter { index in
            switch kind {
            case .beforeLineEnds: bytes[index] == 0x0A || bytes[index] == 0x0D
            case .insideCharacters: isInside(bytes[index])
            }
        }
    }

    /// Takes a byte; whether it goes on with a character.
    private mutating func isInside(_ byte: UInt8) -> Bool {
        if character.isOpen, character.accept(byte) { return true }
        if byte >= 0x80 { _ = character.begin(byte) }
        return false
    }
}

/// Where in coded bytes a reader of the decoded text is to be surprised: behind the first coded
/// byte with which all comes out that is before a place in the text.
final class CodedTextPlaces {
    private var text: TextPlaces
    private let decoder: ContentDecoder?

    /// - Parameter codings: As the head names them.
    init(_ kind: TextPlaces.Kind, codings: [String]) {
        text = TextPlaces(kind)
        decoder = codings.isEmpty ? nil : try? ContentDecoder(codings: codings)
        isReadable = codings.isEmpty || decoder != nil
    }

    private var isReadable: Bool

    /// The offsets in `bytes` before which to cut, ascending.
    func places(in bytes: [UInt8], isDecoded: Bool) -> [Int] {
        guard isReadable else { return [] }
        guard let decoder, !isDecoded else { return text.places(in: bytes) }
        var plain: [UInt8] = []
        // How much of the text is out behind each coded byte.
        var ends: [Int] = []
        for byte in bytes {
            do throws(ContentCodingError) { try decoder.push([byte], into: &plain) } catch {
                isReadable = false
                break
            }
            ends.append(plain.count)
        }
        let wanted = Set(text.places(in: plain))
        var places: [Int] = []
        var last = 0
        for (index, end) in ends.enumerated() {
            if end != last, wanted.contains(end) { places.append(index + 1) }
            last = end
        }
        return places
    }
}
