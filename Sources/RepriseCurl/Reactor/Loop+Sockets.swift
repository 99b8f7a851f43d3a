internal import CCurl
internal import RepriseSupport
internal import RepriseTape
internal import RepriseTransport

/// What a turn does for WebSockets. libcurl connects them as it does others; then it has left the
/// socket to this loop, and the handle stays with it only because it finds its connection there.
extension Loop {
    func open(_ socket: SocketExchange) {
        let exchange = socket.exchange
        guard let easy = EasyHandle() else { return exchange.fail("memory is out") }
        let link = SocketLink(
            socket, easy: easy, clock: settings.clock, turn: turn, poller: poller,
            buffer: readBuffer)
        easy.configureConnection(socket, settings: settings)
        link.setCallbacks()
        if let failure = easy.failure { return exchange.fail(easy.message(for: failure)) }
        guard unsafe curl_multi_add_handle(multi, easy.pointer) == CURLM_OK else {
            return exchange.fail("libcurl refused it")
        }
        links[exchange.id] = link
        ids[easy.key] = exchange.id
    }

    /// libcurl is done with connecting.
    func connect(_ link: SocketLink, _ result: CURLcode) {
        link.didConnect(result)
        if let socket = link.socket, !link.isEnded { linksBySocket[socket] = link }
        forgetIfEnded(link)
    }

    func act(on link: SocketLink, _ readiness: SocketPoller.Readiness) {
        link.didBecomeReady(readiness)
        forgetIfEnded(link)
    }

    func with(_ id: UInt64, _ act: (SocketLink) -> Void) {
        guard let link = links[id] else { return }
        act(link)
        forgetIfEnded(link)
    }

    func send(_ outgoing: Outgoing, over id: UInt64) {
        guard links[id] != nil else { return outgoing.waiter.resume(returning: nil) }
        with(id) { $0.send(outgoing) }
    }

    func stop(_ link: SocketLink, _ error: TransportError) {
        link.stop(error)
        forgetIfEnded(link)
    }

    /// Reads what was left when a link had its share of the turn.
    func goOnReading() {
        for link in turn.takeEager() where !link.isEnded {
            link.read()
            forgetIfEnded(link)
        }
    }

    /// Ends those whose server took too long to answer.
    func endLate(_ now: Int64) {
        for link in links.values {
            guard let deadline = link.deadline else { continue }
            if deadline > now { turn.watchSilence(until: deadline) } else { stop(link, link.late) }
        }
    }

    /// Closes the connection of a link that has ended: removing its handle does.
    private func forgetIfEnded(_ link: SocketLink) {
        guard link.isEnded, links.removeValue(forKey: link.exchange.id) != nil else { return }
        ids[link.easy.key] = nil
        if let socket = link.socket, linksBySocket[socket] === link {
            linksBySocket[socket] = nil
        }
        _ = unsafe curl_multi_remove_handle(multi, link.easy.pointer)
    }
}
