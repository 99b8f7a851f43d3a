import AgoKit

// The usage example of the service's guide to its mobile kits, as it stands there.

// Usage example
let widgetSDK = AgoChatWidgetSDK(
    origin: "https://your-app.example.com"
)

// Optionally set user email for tracking
widgetSDK.userEmail = "[e-mail]"

// Use the SDK
Task {
    let conversations = try await widgetSDK.getConversations()
    print("Found \(conversations.count) conversations")
}
