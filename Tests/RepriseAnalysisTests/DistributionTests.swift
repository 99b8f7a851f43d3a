import RepriseAnalysis
import Testing

@Suite struct DistributionTests {
    struct Case: Sendable {
        var values: [Int64]
        var mean: Int64
        var deviation: Int64
        /// numpy 2.4.6, `numpy.percentile` of 1, 5, 10, 25, 50, 75, 90, 95, 99.
        var percentiles: [Double]
    }

    private static let cases = [
        Case(values: [5], mean: 5, deviation: 0, percentiles: [5, 5, 5, 5, 5, 5, 5, 5, 5]),
        Case(
            values: [1, 2], mean: 2, deviation: 0,
            percentiles: [1.01, 1.05, 1.1, 1.25, 1.5, 1.75, 1.9, 1.95, 1.99]),
        Case(
            values: [1, 2, 3, 4], mean: 2, deviation: 1,
            percentiles: [1.03, 1.15, 1.3, 1.75, 2.5, 3.25, 3.7, 3.85, 3.97]),
        Case(
            values: [10, 0, 10, 20, 1_000, 3], mean: 174, deviation: 370,
            percentiles: [0.15, 0.75, 1.5, 4.75, 10, 17.5, 510, 755, 951]),
        Case(
            values: [438_433, 172_975, 793_919, 358_671, 159_367, 978_604, 512_714, 442_182],
            mean: 482_108, deviation: 265_315,
            percentiles: [
                160_319.56, 164_129.8, 168_892.6, 312_247, 440_307.5, 583_015.25, 849_324.5,
                913_964.25, 965_676.05,
            ]),
        Case(
            values: [
                4_942_859_575, 2_795_742_288, 2_301_595_691, 2_179_419_893, 161_042_648,
                6_157_461_338, 300_026_767, 8_979_544_025, 1_823_296_038, 9_548_738_649,
                4_070_378_921, 1_703_729_684, 4_192_983_756, 8_790_005_680, 3_687_093_963,
                5_538_829_718, 9_209_505_444, 9_095_848_384, 9_914_853_944, 776_213_899,
                2_744_112_455, 1_599_435_267, 8_859_611_191, 8_845_919_668, 5_179_553_247,
                5_644_219_119, 6_241_379_376, 1_287_489_453, 3_411_833_895, 1_048_386_555,
                6_762_098_351, 6_550_669_089, 8_053_654_215, 7_427_910_944, 9_826_617_864,
                4_209_818_936, 9_097_023_248,
            ],
            mean: 5_215_105_491, deviation: 3_113_991_416,
            percentiles: [
                211_076_930.84, 680_976_472.6, 1_191_848_293.8, 2_301_595_691, 5_179_553_247,
                8_790_005_680, 9_142_016_126.4, 9_604_314_492, 9_883_088_955.2,
            ]),
        Case(
            values: [-5, 5, 15], mean: 5, deviation: 8,
            percentiles: [-4.8, -4, -3, 0, 5, 10, 13, 14, 14.8]),
    ]

    @Test(arguments: cases)
    func agreesWithNumpy(_ item: Case) throws {
        let found = try #require(Distribution(item.values))
        #expect(found.count == item.values.count)
        #expect(found.mean == item.mean)
        #expect(found.deviation == item.deviation)
        #expect(found.minimum == item.values.min())
        #expect(found.maximum == item.values.max())
        for (value, expected) in zip(found.percentiles, item.percentiles) {
            #expect(abs(Double(value) - expected) <= 0.500_001)
        }
    }

    @Test func nothingHasNoDistribution() {
        #expect(Distribution([]) == nil)
        #expect(AdjustedPercentiles([], failures: 0) == nil)
    }

    @Test(
        arguments: [
            // Nearest rank of 1, 5, 10, 25, 50, 75, 90, 95, 99 percent.
            (Array(1...10), 0, [1, 1, 1, 3, 5, 8, 9, 10, 10]),
            (Array(1...9), 1, [1, 1, 1, 3, 5, 8, 9, nil, nil]),
            ([7], 1, [7, 7, 7, 7, 7, nil, nil, nil, nil]),
            ([], 2, [nil, nil, nil, nil, nil, nil, nil, nil, nil]),
        ] as [([Int64], Int, [Int64?])])
    func failuresAreAboveAll(values: [Int64], failures: Int, expected: [Int64?]) throws {
        let found = try #require(AdjustedPercentiles(values, failures: failures))
        #expect(found.count == values.count + failures)
        #expect(found.percentiles == expected)
    }

    @Test(
        arguments: [
            (0, "0"), (1, "0.000001"), (12_500_000, "12.5"), (-1_500_000, "-1.5"),
            (1_000_000, "1"), (123_456_789, "123.456789"),
        ] as [(Int64, String)])
    func writesMilliseconds(value: Int64, text: String) {
        #expect(Milliseconds.text(value) == text)
    }

    @Test(
        arguments: [
            (0, 2, "0.00"), (4_999, 2, "0.00"), (5_000, 2, "0.01"), (999_995_000, 2, "1000.00"),
            (-4_000, 2, "0.00"), (-15_000, 2, "-0.02"), (1_499_999, 0, "1"), (1_500_000, 0, "2"),
        ] as [(Int64, Int, String)])
    func roundsMilliseconds(value: Int64, decimals: Int, text: String) {
        #expect(Milliseconds.text(value, decimals: decimals) == text)
    }
}
