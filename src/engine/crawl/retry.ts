import type { PageOutcome } from '../../core/crawl.ts'
import { AppError } from '../../core/error.ts'
import type { PageResponse } from '../../core/fetch.ts'
import type { Clock } from '../../core/ports.ts'

/** How often a page is put off, where another try may help. */
const maxRetries = 2
const firstPauseMs = 1000
/** A site may ask for hours; a crawl does not wait that long for one page. */
const longestPauseMs = 60_000

/** Failures of the moment: the site or the way to it, not the page. */
const passing = new Set(['SCRAPE_ALL_ENGINES_FAILED', 'SCRAPE_TIMEOUT'])

type Retry = Extract<PageOutcome, { kind: 'retry' }>
type Came = AppError | Pick<PageResponse, 'status' | 'headers'>

/** Whether to try a page again, and when, ms since the epoch; undefined where what came is what there is. */
export function retryOf(clock: Clock, retries: number, came: Came): Retry | undefined {
  if (retries >= maxRetries || !isPassing(came)) return undefined
  const asked = came instanceof AppError ? undefined : askedPauseMs(came.headers['retry-after'], clock.now())
  const usual = firstPauseMs * 4 ** retries
  const at = clock.now() + Math.min(asked ?? usual, longestPauseMs)
  return { kind: 'retry', at, trouble: isOfHost(came, asked) ? 'of the host' : 'of the page' }
}

/** Who says that we are too many, or for how long, speaks for the site; one page that is always out of order does not. */
const isOfHost = (came: Came, asked: number | undefined): boolean =>
  !(came instanceof AppError) && (came.status === 429 || asked !== undefined)

const isPassing = (came: Came): boolean =>
  came instanceof AppError ? passing.has(came.code) : came.status === 429 || came.status === 503

/** Retry-After is a number of seconds or a date (RFC 9110, 10.2.3). */
function askedPauseMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
