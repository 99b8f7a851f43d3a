/// Every verb, in the order of the help page.
enum CommandList {
    static let all: [any Command.Type] = [
        AgoSendCommand.self,
        AgoConversationsCommand.self,
        AgoConversationCommand.self,
        AgoTicketCommand.self,
        ChatbaseSendCommand.self,
        ChatbaseRetryCommand.self,
        ChatbaseConversationsCommand.self,
        ChatbaseMessagesCommand.self,
        CometChatSendCommand.self,
        CometChatSmartRepliesCommand.self,
        CometChatConversationStarterCommand.self,
        CometChatConversationSummaryCommand.self,
        ReplayCommand.self,
        ServeCommand.self,
        ShowCommand.self,
        ReportCommand.self,
        CheckCommand.self,
        CatCommand.self,
        ImportCommand.self,
        VerifyCommand.self,
        RepairCommand.self,
    ]
}
