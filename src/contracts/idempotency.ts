/** A call with an idempotency key. What it asks for is compared with what was asked before. */
export type KeyedCall = { teamId: string; key: string; jobId: string; asks: object; signal: AbortSignal }

/** `warnings` are said with the answer, whenever it is given. */
export type FirstAnswer = { output: object; warnings: readonly string[] }

export type FirstRun = {
  /** What is kept of the answer, to be given again; undefined: nothing may be kept of it. */
  run(jobId: string): Promise<{ answer: FirstAnswer; kept: FirstAnswer | undefined }>
  /** Whether a failure was charged, so that the call must not be made again. */
  isCharged(thrown: unknown): boolean
}

export type Idempotency = {
  /**
   * Runs the call unless that was done under its key, within a day and by any process: then the answer of then. One that
   * is running is waited for, and one whose process has died is run again as the same job. A call that fails leaves
   * its key unused, unless it was charged. Fails with IDEMPOTENCY_KEY_REUSED where the key stands for something else, or
   * nothing was kept of the answer, and otherwise as the call does.
   */
  once(call: KeyedCall, first: FirstRun): Promise<FirstAnswer>
}
