/** Options in addition to the input of a call. */
export type CallOptions = {
  /** Ends the call, which rejects with the reason of the signal. A job it has started continues; see `crawlCancel`. */
  signal?: AbortSignal | undefined
  /** Receives progress: steps done, total steps if known, and a message. */
  progress?: ((done: number, total: number | undefined, message: string) => void) | undefined
  /** A UUID. A call repeated with the same key within 24 hours returns the first answer and does not run again. */
  idempotencyKey?: string | undefined
}

/** Options in addition to the input of a job whose pages are read. */
export type PagesOptions = {
  /** Cancels the job; reading its pages rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

export type EachOptions = PagesOptions & {
  /** Number of pages handled at the same time; 1 by default. */
  concurrency?: number | undefined
}

/**
 * Called with each page as it arrives. An error it throws cancels the job. The signal aborts once the job is cancelled,
 * so that the work on other pages can stop.
 */
export type PageHandler<Page> = (page: Page, context: { signal: AbortSignal }) => unknown
