internal import RepriseTape
public import RepriseTransport

/// The live transport, over libcurl.
///
/// HTTP/1.1 alone: there the cuts of a stream are the peer's own and its end can be proven.
/// Nothing is decoded but the chunked coding, no field is added but what the protocol needs, no
/// redirect is followed and no request sent twice. Servers' certificates are verified.
///
/// One thread runs all exchanges of a transport. It ends, and cancels what is running, when the
/// transport is released; so keep the transport as long as a body is read or a WebSocket is open.
public final class CurlTransport: Transport {
    /// A transport with the usual options, for the life of the process.
    public static let shared = CurlTransport()

    /// Clock, random values and journal from the options.
    public let context: SessionContext

    private let options: CurlOptions
    private let proxies: ProxySettings
    private let reactor: Reactor?

    /// Starts a transport; the environment is read now, where the options say so.
    public init(options: CurlOptions = CurlOptions()) {
        self.options = options
        context = options.context
        proxies = ProxySettings(options.proxy)
        reactor = Reactor(
            settings: Settings(caFile: options.caFile, clock: options.context.clock))
    }

    deinit { reactor?.stop() }

    /// Sends `request` and returns when the head of the final response has come.
    ///
    /// - Parameters:
    ///   - request: What to send. `Host`, `Content-Length` and, with user info in the URL,
    ///     `Authorization` are added where they are missing.
    ///   - observer: Told everything that happens, on the transport's thread; a request that
    ///     cannot be sent at all is told from the caller's task.
    /// - Returns: The head, and the body as it arrives. Dropping the body cancels the exchange.
    /// - Throws: ``TransportError`` where no head of a final response came; nothing is thrown
    ///   before the observer was told `request` and `end`.
    public func send(
        _ request: Request, observer: (any ExchangeObserver)?
    ) async throws(TransportError) -> Response {
        let began = context.clock.now()
        let (exchange, inbox): (Exchange, Inbox)
        do {
            (exchange, inbox) = try post(request, observer, began)
        } catch {
            request.refuse(error, at: began, to: observer)
            throw error
        }
        // Posted before the handler is set, since that may run at once.
        let body = CurlBody(exchange, inbox: inbox)
        let head = await withTaskCancellationHandler {
            await exchange.handoff.head()
        } onCancel: {
            inbox.post(.cancel(exchange.id))
        }
        return Response(head: try head.get(), body: ResponseBody(body))
    }

    private func post(
        _ request: Request, _ observer: (any ExchangeObserver)?, _ began: Int64
    ) throws(TransportError) -> (Exchange, Inbox) {
        let (exchange, inbox) = try makeExchange(
            request, url: request.url, for: .http, observer, began)
        guard inbox.post(.start(exchange)) else { throw .transportReleased }
        return (exchange, inbox)
    }

    /// - Parameter url: The request's URL with a scheme that libcurl knows.
    func makeExchange(
        _ request: Request, url: String, for transport: RequestRecord.Transport,
        _ observer: (any ExchangeObserver)?, _ began: Int64
    ) throws(TransportError) -> (Exchange, Inbox) {
        guard let inbox = reactor?.inbox else {
            throw TransportError(
                how: .failed, .failed,
                "libcurl's thread cannot be started: free memory or descriptors")
        }
        let target = try target(of: request, url: url)
        // Posted first and cancelled behind it, a request could leave before the thread knows.
        if Task.isCancelled { throw .cancelled(target) }
        let exchange = Exchange(
            id: inbox.makeID(), request: request, target: target, transport: transport,
            observer: observer, handoff: makeHandoff(), began: began)
        return (exchange, inbox)
    }

    func makeHandoff<Item>() -> Handoff<Item> {
        Handoff(highWater: options.highWater, lowWater: options.lowWater)
    }

    private func target(of request: Request, url: String) throws(TransportError) -> Target {
        let message: String
        do {
            let target = try Target(url: url, proxies: proxies)
            guard let fault = request.fault else { return target }
            message = fault
        } catch {
            switch error {
            case .url(let fault), .proxy(let fault): message = fault
            }
        }
        throw TransportError(how: .failed, .badRequest, message)
    }
}
