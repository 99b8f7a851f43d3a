public import RepriseTape

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
    /// Whether a folder was given and not the file itself: what is no recording is passed over.
    public var isFound: Bool

    /// A recording.
    public init(name: String, path: String, isFound: Bool = false) {
        self.name = name
        self.path = path
        self.isFound = isFound
    }

    /// The recordings that `arguments` mean: files as they are, folders with all `.tape` and
    /// `.jsonl` files below them. Sorted by the bytes of their names.
    ///
    /// - Throws: ``TapeError`` with code `file` for a path that is not there.
    public static func files(_ arguments: [String]) throws(TapeError) -> [TapeFile] {
        var files: [TapeFile] = []
        for argument in arguments {
            if argument == "-" {
                files.append(TapeFile(name: "-", path: "-"))
            } else {
                files += try found(at: argument)
            }
        }
        return files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private static func found(at path: String) throws(TapeError) -> [TapeFile] {
        guard let given = isFolder(path) else {
            throw TapeError(.file, "there is no file or folder \(path)")
        }
        guard given else {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return [TapeFile(name: name, path: path)]
        }
        var files: [TapeFile] = []
        var folders = [""]
        while let folder = folders.popLast() {
            let place = folder.isEmpty ? path : "\(path)/\(folder)"
            for entry in try entries(place) where !entry.hasPrefix(".") {
                let name = folder.isEmpty ? entry : "\(folder)/\(entry)"
                // A link to a folder is not followed: it may lead back up.
                if isLinkedFolder("\(place)/\(entry)") { continue }
                if isFolder("\(place)/\(entry)") == true {
                    folders.append(name)
                } else if name.hasSuffix(".tape") || name.hasSuffix(".jsonl") {
                    files.append(
                        TapeFile(name: name, path: "\(place)/\(entry)", isFound: true))
                }
            }
        }
        return files
    }

    private static func entries(_ path: String) throws(TapeError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw TapeError(.file, "cannot read the folder \(path)")
        }
    }

    private static func isFolder(_ path: String) -> Bool? {
        var answer = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &answer)
        return exists ? answer : nil
    }

    private static func isLinkedFolder(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
            && isFolder(path) == true
    }
}
