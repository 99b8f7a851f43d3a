import RepriseWire

extension AgentRun {
    /// The run in a journal: everything that came of it, without times.
    var json: JSON {
        var object = JSONObject()
        object["run"] = key.map { .integer($0) }
        object["agent"] = .string(agent)
        object["thread"] = .string(threadId)
        object["started"] = .bool(hasStarted)
        object["finished"] = .bool(isFinished)
        object["cut"] = .bool(isCut)
        object["text"] = .string(text)
        object["tools"] = .array(tools.map(\.json))
        object["cards"] = .array(cards.map(\.json))
        object["messages"] = .array(messages.map(\.json))
        return .object(object)
    }
}

extension AgentRun.Tool {
    fileprivate var json: JSON {
        var object: JSONObject = [
            "id": .string(id), "name": .string(name), "arguments": .string(arguments),
            "ended": .bool(hasEnded),
        ]
        object["result"] = result.map { .string($0) }
        return .object(object)
    }
}

extension AgentRun.Card {
    fileprivate var json: JSON {
        var object: JSONObject = ["id": .string(id)]
        object["card"] = card.map { .object($0) }
        object["ended"] = .bool(hasEnded)
        return .object(object)
    }
}

extension AgentRun.Persisted {
    fileprivate var json: JSON {
        var object: JSONObject = ["message": .object(message.body)]
        if isRecovered { object["recovered"] = true }
        return .object(object)
    }
}
