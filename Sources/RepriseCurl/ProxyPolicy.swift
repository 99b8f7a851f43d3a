#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Which proxy a transport goes through.
public enum ProxyPolicy: Sendable, Hashable {
    /// What the environment says when the transport is made, by curl's rules: `http_proxy` (lower
    /// case only, since a CGI program gets a header `Proxy` as `HTTP_PROXY`), `https_proxy`, then
    /// `all_proxy`, and `no_proxy`, each of the last three in lower or else in upper case.
    case environment
    /// No proxy, whatever the environment says.
    case none
    /// This proxy for all hosts but those named: `*`, or names and addresses as in `no_proxy`.
    case url(String, except: [String] = [])
}

/// The proxies of a transport, looked up once.
package struct ProxySettings: Equatable {
    package var http: String?
    package var https: String?
    /// Hosts without a proxy, separated by commas, as curl reads them.
    package var except = ""

    /// - Parameter environment: The value of a variable; nil where it is not set.
    package init(
        _ policy: ProxyPolicy, environment: (String) -> String? = Self.variable
    ) {
        switch policy {
        case .none: break
        case .url(let url, let hosts):
            (http, https) = (url, url)
            except = hosts.joined(separator: ",")
        case .environment:
            func value(_ names: [String]) -> String? {
                names.compactMap(environment).first { !$0.isEmpty }
            }
            let all = value(["all_proxy", "ALL_PROXY"])
            http = value(["http_proxy"]) ?? all
            https = value(["https_proxy", "HTTPS_PROXY"]) ?? all
            except = value(["no_proxy", "NO_PROXY"]) ?? ""
        }
    }

    /// The proxy for URLs of a scheme; nil for none.
    package func proxy(forScheme scheme: String) -> String? { scheme == "https" ? https : http }

    package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
