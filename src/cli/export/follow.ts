import { type FollowedJob, statesOf } from '../../library/follow.ts'
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

export type Followed = Pick<FollowedJob<CrawlState>, 'state' | 'pause'> & {
  /** Takes one document; how many were taken is told by `written`. */
  write(document: Document): Promise<void>
  written(): number
  /** Called after each look. */
  told(state: CrawlState): Promise<void>
}

/** Takes the documents of a crawl until it is over. When the signal aborts it takes what there is by then, and ends. */
export async function follow(
  { state, pause, write, written, told }: Followed,
  signal: AbortSignal,
): Promise<CrawlState> {
  let last: CrawlState | undefined
  for await (const seen of statesOf({ state, pause, taken: written }, signal)) {
    for (const document of seen.data) await write(document)
    await told(seen)
    last = seen
  }
  return last!
}
