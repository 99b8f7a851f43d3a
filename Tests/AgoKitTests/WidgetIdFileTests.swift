import AgoKit
import Foundation
import RepriseTransport
import Testing

@Suite struct WidgetIdFileTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "reprise-widget-\(UUID().uuidString)")

    private func withFolder(_ body: (String) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path() + "/data/ago_widget_id")
    }

    private func mode(_ path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test func makesTheIdOnceAndKeepsItForItsOwner() throws {
        try withFolder { path in
            let first = try WidgetIdFile(path: path).read()
            #expect(UUID(uuidString: first) != nil)
            #expect(try WidgetIdFile(path: path).read() == first)
            #expect(try mode(path) == 0o600)
            #expect(try mode(folder.path() + "/data") == 0o700)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.path() + "/data")
            #expect(names == ["ago_widget_id"])
            try FileManager.default.setAttributes(
                [.posixPermissions: NSNumber(value: 0o644)], ofItemAtPath: path)
            #expect(try WidgetIdFile(path: path).read() == first)
            #expect(try mode(path) == 0o600)
        }
    }

    @Test(arguments: ["", "not an id", "\n", String(repeating: "x", count: 5_000)])
    func replacesADamagedId(text: String) throws {
        try withFolder { path in
            let file = WidgetIdFile(path: path)
            _ = try file.read()
            try Data(text.utf8).write(to: URL(filePath: path))
            let fresh = try file.read()
            #expect(UUID(uuidString: fresh) != nil)
            #expect(try file.read() == fresh)
        }
    }

    @Test func replacesOnDemand() throws {
        try withFolder { path in
            let file = WidgetIdFile(path: path)
            let first = try file.read()
            let second = try file.replace()
            #expect(first != second)
            #expect(try file.read() == second)
            #expect(try mode(path) == 0o600)
        }
    }

    @Test func manyProcessesAgreeOnOneId() async throws {
        let path = folder.path() + "/data/ago_widget_id"
        defer { try? FileManager.default.removeItem(at: folder) }
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<32 { group.addTask { try WidgetIdFile(path: path).read() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test func saysWhyItCannotBeKept() throws {
        let error = #expect(throws: AgoError.self) {
            try WidgetIdFile(path: "/dev/null/folder/ago_widget_id").read()
        }
        #expect(error?.code == .widgetId)
        #expect(error?.message.contains("Not a directory") == true)
        #expect(error?.message.contains("/dev/null") == false)
    }

    @Test(arguments: [
        (["XDG_DATA_HOME": "/x", "HOME": "/h"], "/x"), (["HOME": "/h"], "/h/.local/share"),
        (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share"),
        (["XDG_DATA_HOME": "", "HOME": "/h"], "/h/.local/share"), ([:], nil),
    ])
    func findsTheDataFolder(environment: [String: String], folder: String?) {
        #if !canImport(Darwin)
        #expect(InstallationIdFile.dataFolder(environment) == folder)
        #endif
    }
}
