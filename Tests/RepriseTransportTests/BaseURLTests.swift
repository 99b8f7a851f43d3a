import RepriseTransport
import Testing

@Suite struct BaseURLTests {
    @Test(arguments: [
        "http://h", "https://h.example/api/sdk/v1", "HTTPS://h:8443/", "http://[::1]:80/v1",
        "http://***:****@h/v1", "http://u@h",
    ])
    func paths(canBeAppendedTo url: String) {
        #expect(BaseURL.fault(in: url) == nil)
    }

    @Test(arguments: [
        ("", "is no absolute"), ("h.example/v1", "is no absolute"), ("ftp://h", "is no absolute"),
        ("http://", "names no host"), ("http:///v1", "names no host"),
        ("http://:80/v1", "names no host"), ("http://user:secret@/v1", "names no host"),
        ("http://h/v1?a=b", "ends in a query"), ("http://h?a", "ends in a query"),
        ("http://h/v1#f", "ends in a query"), ("http://h/a b", "holds a blank"),
        ("http://h/a\r\nX: y", "holds a blank"), ("http://h/é", "holds a blank"),
    ])
    func paths(cannotBeAppendedTo url: String, because reason: String) {
        let fault = BaseURL.fault(in: url)
        #expect(fault?.hasPrefix(reason) == true)
        #expect(fault?.contains("secret") == false)
    }
}
