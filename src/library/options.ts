/** Beside the input of a call. */
export type CallOptions = {
  /** Ends the call, which then rejects with the reason of the signal. A job that it began goes on; see `crawlCancel`. */
  signal?: AbortSignal | undefined
  /** Hears how far the call is: steps done, steps in all if known, and what happens. */
  progress?: ((done: number, total: number | undefined, message: string) => void) | undefined
  /** A UUID. What is asked for again with the same one within 24 hours is done once, and answered again. */
  idempotencyKey?: string | undefined
}

/** Beside the input of a job whose pages are read. */
export type PagesOptions = {
  /** Cancels the job; reading its pages then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

export type EachOptions = PagesOptions & {
  /** Pages handled at the same time; 1 by default. */
  concurrency?: number | undefined
}

/**
 * Called with each page as it comes. What it throws cancels the job. The signal fires once the job is cancelled, so
 * that what other pages wait for can end.
 */
export type PageHandler<Page> = (page: Page, context: { signal: AbortSignal }) => unknown
