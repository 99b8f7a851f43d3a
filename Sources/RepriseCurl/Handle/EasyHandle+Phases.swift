internal import CCurl
internal import RepriseTape

extension EasyHandle {
    /// Where the time before the response went, counted from `began`.
    ///
    /// - Parameters:
    ///   - startedAt: When libcurl got the transfer, which it counts from.
    ///   - sent: When the request was out.
    ///   - firstByte: When the first byte of the final head came.
    func phases(
        since began: Int64, startedAt: Int64, isConnected: Bool, sent: Int64?, firstByte: Int64?
    ) -> PhasesRecord {
        let isReused = isConnected && long(CURLINFO_NUM_CONNECTS) == 0
        let after = { (info: CURLINFO) -> Int64? in
            isReused ? nil : self.time(info).map { startedAt - began + $0 }
        }
        return PhasesRecord(
            lookup: after(CURLINFO_NAMELOOKUP_TIME_T), connect: after(CURLINFO_CONNECT_TIME_T),
            tls: after(CURLINFO_APPCONNECT_TIME_T), sent: sent.map { $0 - began },
            firstByte: firstByte.map { $0 - began }, reused: isConnected ? isReused : nil,
            protocolName: isConnected ? "http/1.1" : nil)
    }
}
