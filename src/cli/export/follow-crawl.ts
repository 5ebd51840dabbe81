import { type FollowedJob, statesOf } from '../../library/job-pages.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../../app/app.ts'
import { isEphemeral, requestOf } from '../../engine/crawl/runner/crawl-job.ts'
import { hasDied, isOfThisProcess } from '../../engine/store/worker-id.ts'
import type { CommandContext } from '../command.ts'

/** Process that continues a crawl once this one has ended. A crawl in memory ends with the process. */
export type CarriedOnBy = 'the remote service' | 'another process' | 'nobody yet' | 'nobody ever'

/** A running crawler looks for pages and for other crawls at least once a second. */
const looks = 15
const pauseMs = 100

/** Ends the work of this process on a crawl, and finds out who continues it. */
export async function carriedOnBy(
  id: string,
  { app, config, log }: Pick<CommandContext, 'app' | 'config' | 'log'>,
): Promise<CarriedOnBy> {
  const { remoteUrl, databaseUrl, dataDir } = config
  if (remoteUrl !== undefined) return 'the remote service'
  const { crawls, nodes } = await app.store()
  const crawl = await crawls.find(id)
  if ((crawl && isEphemeral(requestOf(crawl))) || (databaseUrl === undefined && dataDir === 'memory'))
    return 'nobody ever'
  // With a shared database, idle servers are notified of crawls and resume abandoned ones.
  const servers = databaseUrl === undefined ? [] : await nodes.alive()
  if (servers.some(({ role }) => role === 'all' || role === 'worker')) return 'another process'
  // Only after its own pages are released can it be certain that another process has some.
  await app.close()
  const fresh = createApp(config, log)
  try {
    return (await isAnyoneAtWork(await fresh.store())) ? 'another process' : 'nobody yet'
  } finally {
    await fresh.close()
  }
}

/** A process that works on any crawl of the data works on all of them. */
async function isAnyoneAtWork({ crawls }: Awaited<ReturnType<CommandContext['app']['store']>>): Promise<boolean> {
  for (let look = 0; look < looks; look += 1) {
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
  told(state: CrawlState): Promise<void>
}

/**
 * Reads the documents of a crawl until it is over. When the signal aborts, takes the documents available by then and
 * ends.
 */
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
