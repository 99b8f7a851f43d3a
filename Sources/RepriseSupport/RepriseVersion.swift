/// The version of this package.
package enum RepriseVersion {
    /// Semantic version, e.g. `0.1.0`.
    package static let text = "0.1.0"
}
