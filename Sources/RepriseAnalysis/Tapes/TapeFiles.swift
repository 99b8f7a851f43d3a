internal import RepriseSupport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A recording to analyze.
public struct TapeFile: Sendable, Hashable {
    /// Its path relative to the argument that gave it, joined by `/`: its name in the report.
    public var name: String
    /// Where it is; `-` is standard input.
    public var path: String
    /// Whether a folder was given and not the file itself: lines that are no recording are passed
    /// over.
    public var isFound: Bool
    /// Whether it can be read only once, as standard input and a pipe can.
    var isStream: Bool

    /// A recording.
    public init(name: String, path: String, isFound: Bool = false) {
        self.init(name: name, path: path, isFound: isFound, isStream: path == "-")
    }

    init(name: String, path: String, isFound: Bool, isStream: Bool) {
        self.name = name
        self.path = path
        self.isFound = isFound
        self.isStream = isStream
    }
}

/// A file that should be a recording and cannot be read as one.
public struct UnreadableFile: Sendable, Hashable {
    /// Its name in the report.
    public var name: String
    /// Where it is.
    public var path: String
    /// Why it cannot be read, without its name.
    public var reason: String

    /// A file that cannot be read.
    public init(name: String, path: String, reason: String) {
        self.name = name
        self.path = path
        self.reason = reason
    }
}

/// The recordings that arguments of the command line mean.
public struct TapeFiles: Sendable {
    /// What there is to read, sorted by the bytes of the names.
    public private(set) var files: [TapeFile] = []
    /// What cannot be read, sorted by the bytes of the names.
    public private(set) var unreadable: [UnreadableFile] = []
    /// Paths that lead to a file which another one before leads to already.
    public private(set) var repeated: [String] = []

    private var known: Set<FileStatus.Identity> = []

    /// Looks at `arguments`: files as they are, folders with all `.tape` and `.jsonl` files below
    /// them. A file is taken once, whatever its names.
    public init(_ arguments: [String]) {
        for argument in arguments {
            if argument == "-" {
                files.append(TapeFile(name: "-", path: "-"))
            } else {
                add(argument)
            }
        }
        files.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        unreadable.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private mutating func add(_ path: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        do {
            let status = try FileStatus(path)
            guard status.kind != .folder else { return search(path) }
            let file = TapeFile(
                name: name, path: path, isFound: false, isStream: status.kind == .stream)
            take(file, status)
        } catch {
            refuse(name, path, SystemText.message(error.code))
        }
    }

    private mutating func search(_ path: String) {
        var folders = [""]
        while let folder = folders.popLast() {
            let place = folder.isEmpty ? path : "\(path)/\(folder)"
            do {
                let entries = try FileManager.default.contentsOfDirectory(atPath: place)
                for entry in entries.sorted() where !entry.hasPrefix(".") {
                    let name = folder.isEmpty ? entry : "\(folder)/\(entry)"
                    if find(name, "\(place)/\(entry)") { folders.append(name) }
                }
            } catch {
                refuse(folder.isEmpty ? path : folder, place, SystemText.reason(of: error))
            }
        }
    }

    /// Takes what was found in a folder, where it is a recording by its name.
    ///
    /// - Returns: Whether it is a folder to be searched.
    private mutating func find(_ name: String, _ path: String) -> Bool {
        let isRecording = name.hasSuffix(".tape") || name.hasSuffix(".jsonl")
        do {
            let status = try FileStatus(path)
            switch status.kind {
            // A link to a folder is not followed: it may lead back up.
            case .folder: return !FileStatus.isLink(path)
            case .file where isRecording:
                take(TapeFile(name: name, path: path, isFound: true), status)
            // Waiting for a pipe to say something could take forever.
            case .stream where isRecording: refuse(name, path, "it is no file")
            case .file, .stream: break
            }
        } catch {
            if isRecording { refuse(name, path, SystemText.message(error.code)) }
        }
        return false
    }

    private mutating func take(_ file: TapeFile, _ status: FileStatus) {
        if known.insert(status.identity).inserted {
            files.append(file)
        } else {
            repeated.append(file.path)
        }
    }

    private mutating func refuse(_ name: String, _ path: String, _ reason: String) {
        if !unreadable.contains(where: { $0.path == path }) {
            unreadable.append(UnreadableFile(name: name, path: path, reason: reason))
        }
    }
}
