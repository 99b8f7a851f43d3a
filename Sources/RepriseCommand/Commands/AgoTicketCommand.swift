internal import AgoKit

/// `reprise ago ticket`
struct AgoTicketCommand: Command {
    static let help = CommandHelp(
        name: "ago ticket",
        abstract: "Create a support ticket with an AGO service, and record it",
        options: AgoSession.options + [
            .value("--subject", "TEXT", required: true, "What it is about."),
            .value(
                "--typology", "TEXT", required: true, "Its kind, as the service's settings name it."
            ),
            .value(
                "--priority", "TEXT", required: true,
                "How urgent it is, as the service's settings name it."),
            .value("--body", "TEXT", required: true, "The whole of it."),
            .value("--conversation", "ID", "The conversation that it comes from."),
        ],
        examples: [
            (
                "reprise ago ticket --base-url https://chat.example.com/api/sdk/v1 "
                    + "--origin https://app.example.com --widget --subject 'Locked out' "
                    + "--typology question --priority high --body 'The link does not work.'",
                "Creates a ticket of this installation's anonymous user."
            )
        ])

    private let session: AgoSession
    private let ticket: Ticket

    private struct Ticket: Sendable {
        var subject: String
        var typology: String
        var priority: String
        var body: String
        var conversation: String?
    }

    init(_ arguments: ParsedArguments) throws {
        session = try AgoSession(arguments)
        ticket = Ticket(
            subject: try arguments.required("--subject", "what it is about"),
            typology: try arguments.required("--typology", "its kind"),
            priority: try arguments.required("--priority", "how urgent it is"),
            body: try arguments.required("--body", "the whole of it"),
            conversation: arguments.value("--conversation"))
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let ticket = ticket
        let response = try await session.record(terminal) { sdk in
            try await sdk.createTicket(
                subject: ticket.subject, typology: ticket.typology, priority: ticket.priority,
                body: ticket.body, conversationId: ticket.conversation)
        }
        terminal.print("\(OneLine.text(response.id))  \(OneLine.text(response.ticketUrl))")
        return .success
    }
}
