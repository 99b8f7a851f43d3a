import RepriseTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AgoOperation {
    /// The request that creates a ticket.
    func ticket(_ form: MultipartForm) throws(AgoError) -> Request {
        let drawn = form.boundary {
            context.entropy.draw("boundary", call: call) { UUID().uuidString }
        }
        guard let boundary = drawn else {
            throw AgoError(.badArgument, "no boundary was found that the ticket's text lacks")
        }
        return try request(
            "POST", "/tickets", body: form.body(boundary: boundary),
            contentType: "multipart/form-data; boundary=\(boundary)")
    }
}
