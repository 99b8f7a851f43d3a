// swift-tools-version: 6.2
import PackageDescription

/// What apps need; their tests need RepriseTesting beside it.
func app(_ name: String, _ kit: String) -> Target {
    .target(
        name: name,
        dependencies: [
            .product(name: "Reprise", package: "reprise"),
            .product(name: kit, package: "reprise"),
        ])
}

func tests(of name: String, _ kits: [String] = [], exclude: [String] = ["Recordings"]) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [
            .byName(name: name),
            .product(name: "Reprise", package: "reprise"),
            .product(name: "RepriseTesting", package: "reprise"),
        ] + kits.map { .product(name: $0, package: "reprise") },
        exclude: exclude)
}

let package = Package(
    name: "Forecast",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Forecast", targets: ["Forecast", "HelpDesk", "Concierge"])],
    traits: [
        .trait(name: "Live", description: "Tests that record, over libcurl.")
    ],
    dependencies: [
        // Tests on tapes need no network, and so no libcurl; `--traits Live` is for recording.
        .package(
            name: "reprise", path: "../..",
            traits: [.trait(name: "Live", condition: .when(traits: ["Live"]))])
    ],
    targets: [
        app("Forecast", "ChatbaseKit"),
        app("HelpDesk", "AgoKit"),
        app("Concierge", "CometChatKit"),
        tests(of: "Forecast"),
        tests(of: "HelpDesk"),
        tests(of: "Concierge", ["CometChatKit"]),
    ]
)
