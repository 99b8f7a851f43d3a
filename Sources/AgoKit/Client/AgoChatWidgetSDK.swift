import RepriseSupport
public import RepriseTransport
import RepriseWire

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if Live
import RepriseCurl
#endif

/// The AGO client of an anonymous user, whom only the installation's widget id tells from others.
///
/// The id is made once per installation and kept in a file (see ``WidgetIdFile``). Where it can be
/// neither read nor kept, every operation throws ``AgoError`` with the code `ago.widgetId`.
public final class AgoChatWidgetSDK: AgoChat {
    /// How it reaches the service.
    public let client: AgoClient
    private let file: WidgetIdFile?
    private let user: Locked<User>

    private struct User {
        var widgetId: String
        var email: String?
        var failure: AgoError?
    }

    /// The installation's anonymous id.
    public var widgetId: String { user.withLock { $0.widgetId } }

    /// The user's e-mail address, for the service's records; none by default.
    public var userEmail: String? {
        get { user.withLock { $0.email } }
        set { user.withLock { $0.email = newValue } }
    }

    /// Creates a client with the widget id that `file` keeps.
    ///
    /// - Parameters:
    ///   - origin: The app's origin, e.g. `https://app.example.com`.
    ///   - userEmail: The user's e-mail address.
    ///   - file: Where the widget id is kept.
    ///   - baseURL: Where the service is, e.g. `https://chat.example.com/api/sdk/v1`.
    ///   - transport: How to reach it.
    ///   - options: How to behave.
    public convenience init(
        origin: String, userEmail: String? = nil, file: WidgetIdFile = .standard,
        baseURL: String = AgoClient.defaultBaseURL, transport: any Transport,
        options: AgoOptions = AgoOptions()
    ) {
        var user: User
        do {
            user = User(widgetId: try file.read())
        } catch {
            user = User(widgetId: UUID().uuidString, failure: error)
        }
        user.email = userEmail
        self.init(user, file, origin, baseURL, transport, options)
    }

    /// Creates a client with a widget id that the app keeps itself.
    ///
    /// - Parameters:
    ///   - widgetId: The anonymous id.
    ///   - origin: The app's origin, e.g. `https://app.example.com`.
    ///   - userEmail: The user's e-mail address.
    ///   - baseURL: Where the service is, e.g. `https://chat.example.com/api/sdk/v1`.
    ///   - transport: How to reach it.
    ///   - options: How to behave.
    public convenience init(
        widgetId: String, origin: String, userEmail: String? = nil,
        baseURL: String = AgoClient.defaultBaseURL, transport: any Transport,
        options: AgoOptions = AgoOptions()
    ) {
        self.init(
            User(widgetId: widgetId, email: userEmail), nil, origin, baseURL, transport, options)
    }

    private init(
        _ user: User, _ file: WidgetIdFile?, _ origin: String, _ baseURL: String,
        _ transport: any Transport, _ options: AgoOptions
    ) {
        let user = Locked(user)
        self.user = user
        self.file = file
        client = AgoClient(
            baseURL: baseURL, origin: origin, mode: .widget, transport: transport, options: options
        ) {
            try user.withLock { user in
                if let failure = user.failure { throw failure }
                return AgoIdentity(widgetId: user.widgetId, email: user.email)
            }
        }
    }

    #if Live
    /// Creates a client on the live transport, with the installation's widget id.
    ///
    /// - Parameter origin: The app's origin, e.g. `https://app.example.com`.
    public convenience init(origin: String) {
        self.init(origin: origin, transport: CurlTransport.shared)
    }
    #endif

    /// Takes a new widget id, for instance when the user logs out: the old conversations are out
    /// of reach from then on.
    ///
    /// - Throws: ``AgoError`` with the code `ago.widgetId` where the new id could not be kept; the
    ///   old one stays.
    public func resetWidgetId() throws {
        let identity = try? client.identity()
        let number = identity.map { client.announce($0) }
        let journal = client.context.journal
        let call = journal.beginCall("resetWidgetId", args: [:], client: number)
        do {
            let fresh = try file?.replace() ?? UUID().uuidString
            user.withLock { user in
                user.widgetId = fresh
                user.failure = nil
            }
            journal.endCall(call, result: .null)
        } catch {
            journal.endCall(call, error: error)
            throw error
        }
    }
}
