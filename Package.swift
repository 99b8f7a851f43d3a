// swift-tools-version: 6.2
import PackageDescription

/// For the vendors' own samples, which compile and are not free of warnings.
let samples: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let strict = samples + [.treatAllWarnings(as: .error)]

func room(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(
    of name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil,
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
        exclude: exclude, resources: resources, swiftSettings: strict)
}

/// The live transport, wanted by the kits unless the trait "Live" is off: without it the package
/// records over a transport of the app's own, replays and analyzes, and stands on zlib alone.
let live: Target.Dependency = .target(name: "RepriseCurl", condition: .when(traits: ["Live"]))

let package = Package(
    name: "reprise",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Reprise", targets: ["Reprise"]),
        .library(name: "RepriseTesting", targets: ["RepriseTesting"]),
        .library(name: "RepriseCurl", targets: ["RepriseCurl"]),
        .library(name: "AgoKit", targets: ["AgoKit"]),
        .library(name: "ChatbaseKit", targets: ["ChatbaseKit"]),
        .library(name: "CometChatKit", targets: ["CometChatKit"]),
        .executable(name: "reprise", targets: ["RepriseCommand"]),
    ],
    traits: [
        .default(enabledTraits: ["Live"]),
        .trait(name: "Live", description: "The live transport over libcurl, as the kits' default."),
    ],
    targets: [
        // Floor 0: system libraries.
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CMicrohttpd", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),
        .target(name: "CSystem"),
        // Floor 1
        room("RepriseSupport", ["CZlib", "CSystem"]),
        // Only the command and the tests start programs.
        room("RepriseProcess", ["RepriseSupport"]),
        // Floor 2
        room("RepriseWire", ["RepriseSupport"]),
        room("RepriseTape", ["RepriseSupport", "RepriseWire"]),
        // Floor 3
        room("RepriseTransport", ["RepriseSupport", "RepriseWire", "RepriseTape"]),
        room("RepriseSession", ["RepriseSupport", "RepriseWire", "RepriseTape"]),
        // Floor 4
        room(
            "RepriseCurl",
            [
                "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport", "CCurl",
            ]),
        room(
            "AgoKit",
            [
                "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport",
                "RepriseSession", live,
            ]),
        room(
            "ChatbaseKit",
            [
                "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport",
                "RepriseSession", live,
            ]),
        room(
            "CometChatKit",
            [
                "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport",
                "RepriseSession", live,
            ]),
        room(
            "RepriseAnalysis", ["RepriseSupport", "RepriseWire", "RepriseTape", "RepriseSession"]),
        room(
            "RepriseServer",
            [
                "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport", "CMicrohttpd",
            ]),
        // Floor 5
        room(
            "RepriseReport",
            ["RepriseSupport", "RepriseWire", "RepriseTape", "RepriseSession", "RepriseAnalysis"]),
        // Floor 6
        room(
            "Reprise",
            [
                "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport",
                "RepriseSession",
                "RepriseAnalysis", "RepriseReport", "AgoKit", "ChatbaseKit", "CometChatKit",
            ]),
        // Floor 7
        room(
            "RepriseTesting",
            [
                "Reprise", "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport",
                "RepriseSession", "RepriseAnalysis", "RepriseReport", live,
            ]),
        .executableTarget(
            name: "RepriseCommand",
            dependencies: [
                "Reprise", "RepriseSupport", "RepriseProcess", "RepriseWire", "RepriseTape",
                "RepriseTransport", "RepriseSession", "RepriseAnalysis", "RepriseReport",
                "RepriseCurl", "RepriseServer", "AgoKit", "ChatbaseKit", "CometChatKit", "CSystem",
            ],
            swiftSettings: strict),

        // Tests
        .target(
            name: "TestSupport",
            dependencies: [
                "RepriseSupport", "RepriseProcess", "RepriseWire", "RepriseTape",
                "RepriseTransport", "CSystem",
            ],
            path: "Tests/TestSupport", swiftSettings: strict),
        .executableTarget(
            name: "SeedExamples", dependencies: ["AgoKit", "ChatbaseKit", "CometChatKit"],
            path: "Tests/SeedExamples",
            swiftSettings: samples),
        tests(of: "RepriseSupport"),
        tests(of: "RepriseProcess", ["RepriseSupport"]),
        tests(of: "RepriseWire", ["RepriseSupport"]),
        tests(of: "RepriseTape", ["RepriseSupport", "RepriseWire"]),
        tests(
            of: "RepriseTransport", ["RepriseSupport", "RepriseWire", "RepriseTape"],
            exclude: ["Matching/Snapshots"]),
        tests(
            of: "RepriseCurl", ["RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport"]),
        tests(
            of: "RepriseServer",
            ["RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport", "RepriseCurl"]),
        tests(
            of: "AgoKit",
            [
                "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport",
                "RepriseSession",
                "RepriseCurl",
            ]),
        tests(
            of: "ChatbaseKit",
            [
                "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport",
                "RepriseSession",
                "RepriseCurl",
            ]),
        tests(
            of: "CometChatKit",
            [
                "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport",
                "RepriseSession",
                "RepriseCurl",
            ]),
        tests(
            of: "RepriseAnalysis",
            [
                "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseSession", "AgoKit",
                "ChatbaseKit", "CometChatKit",
            ]),
        tests(
            of: "RepriseReport",
            [
                "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseSession", "RepriseAnalysis",
                "AgoKit", "ChatbaseKit", "CometChatKit",
            ], exclude: ["Snapshots"]),
        tests(
            of: "RepriseCommand",
            [
                "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport", "RepriseCurl",
                "Reprise", "AgoKit", "ChatbaseKit", "CometChatKit",
            ], exclude: ["CommandLine/Snapshots"]),
        tests(
            of: "RepriseTesting",
            [
                "Reprise", "RepriseSupport", "RepriseWire", "RepriseTape", "RepriseTransport",
                "RepriseSession", "RepriseAnalysis", "RepriseCurl", "AgoKit", "ChatbaseKit",
                "CometChatKit",
            ], exclude: ["Recordings", "Snapshots"]),
    ],
    swiftLanguageModes: [.v6]
)
