#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Why a test could not be set up.
package struct TestSupportError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    package init(_ description: String, errno code: Int32) {
        self.description = unsafe "\(description): \(String(cString: strerror(code)))"
    }
}
