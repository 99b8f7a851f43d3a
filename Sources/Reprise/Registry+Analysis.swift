internal import RepriseAnalysis
public import RepriseSession

extension Registry {
    /// Names that `--dialect` takes.
    public static var dialectNames: [String] { dialects.map(\.name) + [GenericDialect().name] }

    /// All rules, the general ones first.
    public static var rules: [Rule] { Rule.general + dialects.flatMap(\.rules) }
}
