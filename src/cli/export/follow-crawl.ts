import type { FollowedJob } from '../../library/job-pages.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../../app/app.ts'
import { isEphemeral, requestOf } from '../../engine/crawl/runner/crawl-job.ts'
import { skippedCounts } from '../../engine/crawl/status.ts'
import { hasDied, isOfThisProcess } from '../../engine/store/worker-id.ts'
import { counted, durationText } from '../../util/amounts.ts'
import type { CommandContext } from '../command.ts'

/** Process that continues the crawl after this process ends. `nobody ever`: the crawl was not stored. */
export type ContinuedBy = 'the remote service' | 'another process' | 'nobody yet' | 'nobody ever'

/** Number of checks. Together they take 1.5 s, because a running crawler claims work at least once a second. */
const maxChecks = 15
const pauseMs = 100

/** Ends the work of this process on a crawl, and finds out who continues it. */
export async function findContinuation(
  id: string,
  { app, config, log }: Pick<CommandContext, 'app' | 'config' | 'log'>,
): Promise<ContinuedBy> {
  const { remoteUrl, databaseUrl, dataDir } = config
  if (remoteUrl !== undefined) return 'the remote service'
  const { crawls, nodes } = await app.store()
  const crawl = await crawls.find(id)
  if ((crawl && isEphemeral(requestOf(crawl))) || (databaseUrl === undefined && dataDir === 'memory'))
    return 'nobody ever'
  // With a shared database, idle servers are notified of crawls and resume abandoned ones.
  const servers = databaseUrl === undefined ? [] : await nodes.alive()
  if (servers.some(({ role }) => role === 'all' || role === 'worker')) return 'another process'
  // Once this process has released its pages, pages still in progress belong to another process.
  await app.close()
  const fresh = createApp(config, log)
  try {
    return (await isAnotherWorking(await fresh.store())) ? 'another process' : 'nobody yet'
  } finally {
    await fresh.close()
  }
}

/** True if another process works on the same data; such a process works on every crawl in the data. */
async function isAnotherWorking({ crawls }: Awaited<ReturnType<CommandContext['app']['store']>>): Promise<boolean> {
  for (let check = 0; check < maxChecks; check += 1) {
    const workers = await crawls.reap()
    if (workers.some((worker) => !isOfThisProcess(worker) && !hasDied(worker))) return true
    await sleep(pauseMs)
  }
  return false
}

/** The used part of the response of the operation crawl_status. */
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
  /** Takes one document; `written` counts them. */
  write(document: Document): Promise<void>
  written(): number
  /** Called after each poll. */
  polled(state: CrawlState): Promise<void>
}

/** Response of the operation crawl_errors. */
export type CrawlFaults = {
  errors: readonly { url: string; code?: string | undefined; error: string }[]
  robotsBlocked: readonly string[]
  skipped?: Partial<Record<string, number>> | undefined
}
export type Ended = { id: string; url: string; tookMs: number; state: CrawlState; faults: CrawlFaults }
type Places = { out?: string; warc?: string; unarchived?: number }

const shownErrors = 10

/** Returns the summary of an ended crawl for a program. */
export function summaryOf({ id, url, state, faults }: Ended): object {
  const { status, completed, total, creditsUsed, error, warning } = state
  const { robotsBlocked, skipped } = faults
  return {
    id,
    url,
    status,
    completed,
    total,
    failed: failedOf(state, faults),
    creditsUsed,
    robotsBlocked,
    skipped,
    error,
    warning,
  }
}

/** Returns the number of failed pages. `errors` is only the fallback, because it includes abandoned webhooks. */
const failedOf = ({ failed }: CrawlState, { errors }: CrawlFaults) => failed ?? errors.length

/** Returns the summary of an ended crawl for a person. */
export function summaryText({ id, url, tookMs, state, faults }: Ended, places: Places): string {
  const { errors } = faults
  const skipped = skippedText(faults)
  const more = errors.length - shownErrors
  return [
    `${verbs[state.status] ?? `Ended (${state.status})`}: ${url}`,
    `${counted(state.completed, 'page')}, ${failedOf(state, faults)} failed, ${counted(state.creditsUsed, 'credit')}, ${durationText(tookMs)}`,
    ...(skipped === '' ? [] : [`Skipped: ${skipped}`]),
    ...errors.slice(0, shownErrors).map(({ url: failed, code, error }) => `Failed: ${failed} (${code ?? error})`),
    ...(more > 0 ? [`… and ${more} more: gossamer call crawl_errors '{"id":"${id}"}'`] : []),
    ...(state.error === undefined ? [] : [`Why: ${state.error}`]),
    ...(state.warning === undefined ? [] : [`Note: ${state.warning}`]),
    ...(places.out === undefined ? [] : [`Pages: ${places.out}`]),
    ...(places.unarchived ? [missingText(places.unarchived)] : []),
    ...(places.warc === undefined ? [] : [`WARC: ${places.warc}`]),
  ].join('\n')
}

const missingText = (count: number) =>
  `${counted(count, 'page')} not in the WARC file: from the cache, or fetched by another Gossamer process with the same data folder`

/** Returns the summary for a person if the command ends before the crawl does. */
export function stoppedText({
  id,
  out,
  written,
  continuedBy = 'nobody yet',
}: {
  id: string | undefined
  out: string | undefined
  written: number
  continuedBy?: ContinuedBy | undefined
}): string {
  if (id === undefined) return 'Stopped before the crawl started.'
  const stopped = `${stops[continuedBy]} ${counted(written, 'page')} written.`
  if (continuedBy === 'nobody ever') return stopped
  return out === undefined
    ? `${stopped}\nTo resume it, with the same settings: gossamer crawl ${id} --watch\nTo cancel it: gossamer call crawl_cancel '{"id":"${id}"}'`
    : `${stopped}\nTo resume it, with the same settings: gossamer crawl --resume --out ${shellWord(out)}`
}

const stops: Record<ContinuedBy, string> = {
  'the remote service': 'Stopped watching; the remote service continues the crawl.',
  'another process': 'Stopped watching; another process continues the crawl.',
  'nobody yet': 'Stopped; the crawl is paused.',
  'nobody ever': 'Stopped; the crawl ended with this program, because it was not stored.',
}

/** Quotes a word for a shell. */
const shellWord = (text: string) => (/^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

const verbs: Record<string, string> = { completed: 'Crawled', failed: 'Failed', cancelled: 'Cancelled' }

/** Formats the numbers of skipped URLs by reason, the most frequent first. */
function skippedText({ skipped = {}, robotsBlocked }: CrawlFaults): string {
  const counts = { ...(robotsBlocked.length > 0 && { robots: robotsBlocked.length }), ...skipped }
  const found = Object.entries(counts).flatMap(([reason, count]) => (count ? [[reason, count] as const] : []))
  return skippedCounts(found.toSorted(([, one], [, other]) => other - one))
}
