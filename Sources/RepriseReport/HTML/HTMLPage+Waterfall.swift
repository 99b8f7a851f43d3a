internal import RepriseAnalysis

extension HTMLPage {
    /// A turn: how it came out, and its waterfall.
    func turn(_ turn: TurnResult, of session: SessionResult, number: Int) -> Markup {
        var picture = Waterfall(turn, of: session)
        // Said once, beside the turn.
        picture.shorten(turn.outcome)
        let operation: Markup = turn.operation.map { " <code>\($0)</code>" } ?? ""
        return """
            <section class="turn" id="session-\(number)-turn-\(turn.number)">
            <h4>Turn \(turn.number)\(operation) \
            \(HTMLPage.chip(turn.outcome.words, .init(turn.outcome)))</h4>
            <p class="meta">\(facts(of: turn))</p>
            \(picture.markup)</section>

            """
    }

    private func facts(of turn: TurnResult) -> String {
        var facts: [String] = []
        if let ttft = turn.ttft { facts.append("turn_ttft \(Quantity.time(ttft))") }
        if let latency = turn.latency { facts.append("turn_latency \(Quantity.time(latency))") }
        facts.append(ReportTables.count(turn.textBytes, "byte") + " of text")
        if turn.toolCalls > 0 { facts.append(ReportTables.count(turn.toolCalls, "tool call")) }
        if let credits = turn.usage.flatMap(ReportTables.credits) {
            facts.append("credits: \(credits)")
        }
        return facts.joined(separator: " · ")
    }
}

extension Waterfall {
    /// The picture; what it shows is said in words below each row.
    var markup: Markup {
        let rows = Markup.each(rows, self.row)
        let more: Markup = omitted > 0 ? "<p class=\"note\">And \(omitted) more.</p>\n" : ""
        guard !self.rows.isEmpty else { return "<p class=\"note\">Nothing was sent.</p>\n" }
        return """
            <div class="waterfall" style="--step:\(Quantity.percent(step, of: end - start))">
            \(axis)<ol>
            \(rows)</ol>
            \(more)</div>

            """
    }

    private var axis: Markup {
        let ticks = Array(stride(from: Int64(0), through: end - start, by: Int64.Stride(step)))
        let marks = Markup.each(ticks) { tick in
            let left = Quantity.percent(tick, of: end - start)
            // Near the end a label stands before its mark, so that it stays on the page.
            let isLast = tick > (end - start) / 20 * 19
            let last: Markup = isLast ? " class=\"last\"" : ""
            let text = Quantity.mark(tick, onAxisOf: end - start)
            return "<span\(last) style=\"left:\(left)\">\(text)</span>"
        }
        return "<div class=\"axis\" aria-hidden=\"true\">\(marks)</div>\n"
    }

    private func row(_ row: Row) -> Markup {
        let notes = Markup.each(row.notes) { " " + HTMLPage.chip($0, .plain) }
        return """
            <li><p class="who"><small>\(row.kind)</small> <b><bdi>\(row.title)</bdi></b>\(notes) \
            \(HTMLPage.chip(row.outcome, row.grade))</p>
            <div class="lane" aria-hidden="true">\(Markup.each(row.segments, segment))\
            \(edge(row))</div>
            <p class="facts">\(begin(row))\(Markup.each(row.facts, fact))</p></li>

            """
    }

    private func segment(_ segment: Segment) -> Markup {
        let left = position(segment.start)
        let width = position(segment.end) - left
        return """
            <i class="\(segment.kind.rawValue)" style="left:\(Quantity.percent(hundredths: left));\
            width:\(Quantity.percent(hundredths: width))"></i>
            """
    }

    /// Where a row ends.
    private func edge(_ row: Row) -> Markup {
        guard let end = row.end else { return "" }
        let left = Quantity.percent(hundredths: position(end))
        return "<i class=\"edge \(row.grade.rawValue)\" style=\"left:\(left)\"></i>"
    }

    /// When a row begins, where that is not with the turn.
    private func begin(_ row: Row) -> Markup {
        guard row.start > start else { return "" }
        return "<span>begins at \(Quantity.time(row.start - start))</span> "
    }

    private func fact(_ fact: Fact) -> Markup {
        let key: Markup = fact.kind.map { "<i class=\"\($0.rawValue)\"></i>" } ?? ""
        return "<span>\(key)\(fact.text)</span> "
    }
}
