public import RepriseTransport

/// How a ``CurlTransport`` works.
public struct CurlOptions: Sendable {
    /// A file of certificates in PEM form; a server's certificate must lead to one of them.
    ///
    /// It stands in place of the system's authorities, which nil means.
    public var caFile: String?
    /// Which proxy to use.
    public var proxy: ProxyPolicy
    /// From how many bytes on that the app has not read the peer is held back; 1 MiB.
    public var highWater: Int
    /// From how many bytes down the peer may send again; 256 KiB.
    public var lowWater: Int
    /// Clock, random values and journal of the clients; by default ``SessionContext/live``.
    ///
    /// The transport stamps with its clock and measures its limits by it, so it must run.
    public var context: SessionContext

    /// Creates options.
    public init(
        caFile: String? = nil, proxy: ProxyPolicy = .environment, highWater: Int = 1 << 20,
        lowWater: Int = 256 << 10, context: SessionContext = .live
    ) {
        self.caFile = caFile
        self.proxy = proxy
        self.highWater = highWater
        self.lowWater = lowWater
        self.context = context
    }
}
