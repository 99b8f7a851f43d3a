// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Forecast",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Forecast", targets: ["Forecast"])],
    dependencies: [
        // Without the trait Live: tests on tapes need no network, and so no libcurl.
        .package(name: "reprise", path: "../..", traits: [])
    ],
    targets: [
        .target(
            name: "Forecast",
            dependencies: [
                .product(name: "Reprise", package: "reprise"),
                .product(name: "ChatbaseKit", package: "reprise"),
            ]),
        .testTarget(
            name: "ForecastTests",
            dependencies: [
                "Forecast",
                .product(name: "Reprise", package: "reprise"),
                .product(name: "RepriseTesting", package: "reprise"),
            ],
            exclude: ["Recordings"]),
    ]
)
