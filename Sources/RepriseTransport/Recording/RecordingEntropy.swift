/// Random values as another source draws them, each recorded.
struct RecordingEntropy: EntropySource {
    let base: any EntropySource
    let recorder: TapeRecorder

    func draw(_ purpose: String, call: UInt64, _ make: @Sendable () -> String) -> String {
        let value = base.draw(purpose, call: call, make)
        recorder.recordDraw(value, purpose: purpose, call: call)
        return value
    }
}
