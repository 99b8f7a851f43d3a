/// The conversations as the service lists them: an array, or a page in an envelope.
struct ThreadList: Decodable {
    let threads: [Thread]
    let hasMore: Bool

    private enum CodingKeys: String, CodingKey {
        case data
        case hasMore = "has_more"
    }

    init(from decoder: any Decoder) throws {
        guard let values = try? decoder.container(keyedBy: CodingKeys.self) else {
            threads = try decoder.singleValueContainer().decode([Thread].self)
            hasMore = false
            return
        }
        threads = try values.decode([Thread].self, forKey: .data)
        hasMore = try values.decodeIfPresent(Bool.self, forKey: .hasMore) ?? false
    }
}
