// `import Reprise` is all that recording, replaying and analyzing needs.
@_exported public import RepriseAnalysis
@_exported public import RepriseReport
@_exported public import RepriseSession
@_exported public import RepriseTape
@_exported public import RepriseTransport
@_exported public import RepriseWire
