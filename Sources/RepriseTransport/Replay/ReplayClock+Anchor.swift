extension ReplayClock {
    /// What the moments at which something recorded comes again are counted from.
    public enum Anchor: Sendable, Hashable {
        /// What the app does, whenever that is: a response comes as long after its request as it
        /// was recorded to. On a WebSocket that holds for each message and close frame of the
        /// app and each request that it makes meanwhile: what the server sent next comes as long
        /// after the last of them as it was recorded to, and what it had sent before one of them
        /// is there then at the latest.
        ///
        /// So an app need not repeat the time that its user took to think, and its own limits for
        /// an answer hold for the answer alone.
        case app
        /// The session's start: a request is held until its recorded moment, and what comes comes
        /// at its own. For who does everything at the recorded moments, as ``ReplayCheck`` does.
        case session
    }
}

extension ReplayClock.Anchor {
    /// The one that can be had: at the pace `instant` time is what the recording says, and at a
    /// pace at which time passes nobody can be held until a moment that is over.
    init(_ wish: ReplayClock.Anchor, at pace: Pace) {
        self =
            switch pace {
            case .instant: .session
            case .virtual: wish
            case .original, .scaled: .app
            }
    }
}
