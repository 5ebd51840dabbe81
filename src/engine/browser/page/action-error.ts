/** A step that cannot be done as it was asked for; the message is ours. */
export class StepError extends Error {
  override readonly name = 'StepError'
}
