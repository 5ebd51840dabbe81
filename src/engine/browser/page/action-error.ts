/** An action that cannot be done as requested. The message is ours and holds no text of the page. */
export class ActionError extends Error {
  override readonly name = 'StepError'
}
