import AgoKit
import Foundation

/// The guide's form, written with its helper.
func form(subject: String, typology: String, priority: String, body: String) -> Data {
    let boundary = UUID().uuidString
    let conversationId: String? = nil

    var formData = Data()
    formData.appendFormField(boundary: boundary, name: "subject", value: subject)
    formData.appendFormField(boundary: boundary, name: "typology", value: typology)
    formData.appendFormField(boundary: boundary, name: "priority", value: priority)
    formData.appendFormField(boundary: boundary, name: "body", value: body)

    if let conversationId = conversationId {
        formData.appendFormField(boundary: boundary, name: "conversation_id", value: conversationId)
    }

    // swift-format-ignore: NeverForceUnwrap
    formData.append("--\(boundary)--\r\n".data(using: .utf8)!)
    return formData
}
