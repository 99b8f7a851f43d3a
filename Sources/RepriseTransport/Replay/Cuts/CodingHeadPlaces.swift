internal import RepriseSupport

/// Where in coded bytes the header and the trailer of the coding are: of each member of gzip
/// (RFC 1952 section 2.3), or of zlib (RFC 1950 section 2.2).
final class CodingHeadPlaces {
    private enum Form {
        case gzip
        case zlib
        /// Without header and trailer, or not known.
        case bare
    }

    private enum Part {
        case header
        case data
        /// That many bytes of it are to come.
        case trailer(Int)
        /// What follows is no coding.
        case over
    }

    private let form: Form
    private var part = Part.header
    private var header: [UInt8] = []
    private let inflate = Inflate(.raw(windowBits: 15))

    /// - Parameter coding: The one that was applied last.
    init(coding: String?) {
        form =
            switch coding {
            case "gzip", "x-gzip": .gzip
            case "deflate": .zlib
            default: .bare
            }
        if form == .bare { part = .over }
    }

    /// The offsets in `bytes` before which to cut, ascending: those around each byte of a header
    /// and of a trailer.
    func places(in bytes: [UInt8]) -> [Int] {
        var places: [Int] = []
        var index = 0
        while index < bytes.count {
            switch part {
            case .header:
                take(bytes[index])
                // It was none.
                if case .over = part { return [] }
            case .data:
                skipData(bytes, &index)
                continue
            case .trailer(let count):
                if count > 1 { part = .trailer(count - 1) } else { begin() }
            case .over: return places
            }
            if places.last != index { places.append(index) }
            index += 1
            places.append(index)
        }
        return places
    }

    private func begin() {
        part = form == .gzip ? .header : .over
        header = []
        inflate.reset()
    }

    /// Takes a byte of a header.
    private func take(_ byte: UInt8) {
        header.append(byte)
        switch form {
        case .gzip: if GzipHeader.isWhole(header) { part = .data }
        case .zlib:
            guard header.count == 2 else { return }
            let check = UInt16(header[0]) << 8 | UInt16(header[1])
            part = header[0] & 0x0F == 8 && check.isMultiple(of: 31) ? .data : .over
        case .bare: part = .over
        }
    }

    private func skipData(_ bytes: [UInt8], _ index: inout Int) {
        var plain: [UInt8] = []
        do throws(Inflate.Failure) {
            let status = try inflate.push(bytes, from: &index, into: &plain)
            if status == .ended { part = .trailer(form == .gzip ? 8 : 4) }
        } catch {
            part = .over
        }
    }
}

/// The header of a member of gzip (RFC 1952 section 2.3).
private enum GzipHeader {
    private static let fixed = 10

    /// Whether `bytes`, which begin with a header, have all of it.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= fixed else { return false }
        let flags = bytes[3]
        var end = fixed
        if flags & 4 != 0 {
            guard bytes.count >= end + 2 else { return false }
            end += 2 + Int(bytes[end]) + Int(bytes[end + 1]) << 8
        }
        // A name, a comment.
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard end < bytes.count, let zero = bytes[end...].firstIndex(of: 0) else {
                return false
            }
            end = zero + 1
        }
        if flags & 2 != 0 { end += 2 }
        return bytes.count >= end
    }
}
