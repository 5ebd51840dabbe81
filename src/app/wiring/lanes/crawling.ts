import { setTimeout as sleep } from 'node:timers/promises'
import type { Crawl, Crawler } from '../../../contracts/crawl.ts'
import type { Ports } from '../../../contracts/ports.ts'
import { isUnkept, requestOf } from '../../../engine/crawl/runner/job.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Lanes } from './lanes.ts'

export type OpenCrawler = Crawler & { close(): Promise<void> }

export type CrawlingParts = {
  crawls: Pick<Ports['crawls'], 'running'>
  /** Whether the data is in a file, so that a lane can open it too. */
  isShared(): Promise<boolean>
  lanes: Lanes
  /** The crawler of this thread, over these crawls. */
  own(crawls: (all: readonly Crawl[]) => Crawl[]): Promise<OpenCrawler>
  log: Log
}

/** Callers ask for a crawl several times a second while it runs. */
const lookAgainMs = 1000
/** Pause after the database could not be asked. */
const againMs = 2000

/**
 * Has lanes work on crawls, and the thread itself on those whose data no other can see: in memory, or because nothing
 * of them may be kept.
 */
export function createCrawling({ crawls, isShared, lanes, own, log }: CrawlingParts): OpenCrawler {
  let lookedAt = new Map<string, number>()
  const state = { isWanted: false, isClosing: false }
  const closing = new AbortController()
  let looking: Promise<void> | undefined
  let opening: Promise<OpenCrawler> | undefined
  let shared: boolean | undefined
  const isOwn = (crawl: Crawl) => !shared || lanes.isOver() || isUnkept(requestOf(crawl))

  async function look(crawlId?: string): Promise<void> {
    shared = await isShared()
    const running = await crawls.running()
    const now = performance.now()
    lookedAt = new Map(running.map(({ id }) => [id, now]))
    if (state.isClosing) return
    if (running.some(isOwn)) (await (opening ??= own((all) => all.filter(isOwn)))).wake(crawlId)
    if (running.some((crawl) => !isOwn(crawl))) lanes.wake(crawlId)
  }

  function wake(crawlId?: string): void {
    if (crawlId !== undefined && performance.now() - (lookedAt.get(crawlId) ?? -Infinity) < lookAgainMs) return
    state.isWanted = true
    looking ??= lookWhileWanted(crawlId).finally(() => {
      looking = undefined
      // It may have been called after the last check.
      if (state.isWanted && !state.isClosing) wake()
    })
  }

  async function lookWhileWanted(crawlId?: string): Promise<void> {
    let id = crawlId
    while (state.isWanted && !state.isClosing) {
      state.isWanted = false
      await look(id).catch(async (cause: unknown) => {
        log.error('crawls could not be read', { cause })
        state.isWanted = true
        await sleep(againMs, undefined, { signal: closing.signal }).catch(() => {})
      })
      id = undefined
    }
  }

  return {
    wake,
    async close() {
      state.isClosing = true
      closing.abort()
      await looking
      await Promise.all([lanes.close(), opening?.then((open) => open.close())])
    },
  }
}
