import { AppError } from '../../kernel/error.ts'
import type { Document } from '../../schema/scrape/document.ts'

/** The answer of the operation crawl_status, as far as it is used. */
export type CrawlState = {
  status: string
  completed: number
  total: number
  failed?: number | undefined
  creditsUsed: number
  data: readonly Document[]
  error?: string | undefined
  warning?: string | undefined
}

export type Followed = {
  /** What became of the crawl, with its documents from number `skip` on. */
  state(skip: number): Promise<CrawlState>
  /** Takes one document; how many were taken is told by `written`. */
  write(document: Document): Promise<void>
  written(): number
  /** Called after each look. */
  told(state: CrawlState): Promise<void>
  /** Resolves after the time, or when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

const pollMs = 250
const retries = 5

/** Takes the documents of a crawl until it is over. When the signal aborts it takes what there is by then, and ends. */
export async function follow(crawl: Followed, signal: AbortSignal): Promise<CrawlState> {
  for (;;) {
    const isLast = signal.aborted
    const state = await patiently(crawl, signal)
    for (const document of state.data) await crawl.write(document)
    await crawl.told(state)
    const isCaughtUp = state.data.length === 0 || crawl.written() >= state.completed
    if (isLast || (isCaughtUp && state.status !== 'scraping')) return state
    if (isCaughtUp) await crawl.pause(pollMs, signal)
  }
}

/** A remote service may be away for a moment, and a long crawl should not end by that. */
async function patiently(crawl: Followed, signal: AbortSignal): Promise<CrawlState> {
  for (let tries = 1; ; tries += 1)
    try {
      return await crawl.state(crawl.written())
    } catch (thrown) {
      if (tries > retries || signal.aborted || !isPassing(thrown)) throw thrown
      await crawl.pause(1000 * tries, signal)
    }
}

const isPassing = (thrown: unknown) =>
  thrown instanceof AppError && ['REMOTE_UNAVAILABLE', 'QUEUE_FULL'].includes(thrown.code)
