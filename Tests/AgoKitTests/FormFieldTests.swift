import AgoKit
import Foundation
import Testing

@Suite struct FormFieldTests {
    @Test(arguments: [
        ("subject", "Hello", "name=\"subject\"\r\n\r\nHello"),
        ("subject", "", "name=\"subject\"\r\n\r\n"),
        ("a\"b", "x\"y", "name=\"a%22b\"\r\n\r\nx\"y"),
        ("a\r\nX: y", "l1\r\nl2", "name=\"a%0D%0AX: y\"\r\n\r\nl1\r\nl2"),
        ("ü", "é 🙂", "name=\"ü\"\r\n\r\né 🙂"),
    ])
    func writesOneField(name: String, value: String, written: String) {
        var data = Data()
        data.appendFormField(boundary: "B", name: name, value: value)
        let text = "--B\r\nContent-Disposition: form-data; " + written + "\r\n"
        #expect(Array(data) == Array(text.utf8))
    }
}
