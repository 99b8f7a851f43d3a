/// Where a service is: an absolute URL to which the paths of its operations are appended.
package enum BaseURL {
    /// What is wrong with `text`, as the end of a sentence that names it, without its content; nil
    /// where paths can be appended.
    ///
    /// - Parameter schemes: What it may begin with, the one to advise last.
    package static func fault(
        in text: String, schemes: [String] = ["http://", "https://"]
    ) -> String? {
        let lower = text.lowercased()
        guard let scheme = schemes.first(where: { lower.hasPrefix($0) }) else {
            let names = schemes.map { $0.dropLast(3) }.joined(separator: " or ")
            return "is no absolute \(names) URL: begin it with \(schemes.last ?? "")"
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return "holds a blank, a control character or a letter beyond ASCII: percent-encode it"
        }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        if host.isEmpty || host.hasPrefix(":") { return "names no host" }
        if rest.contains("?") || rest.contains("#") {
            return "ends in a query or a fragment, behind which no path can stand: leave it out"
        }
        return nil
    }
}
