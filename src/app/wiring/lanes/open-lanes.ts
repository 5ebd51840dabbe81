import type { BrowsePage } from '../../../contracts/fetch.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Config } from '../../config.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import type { Watchers } from '../page-ports.ts'
import { type LaneLimits, startLane, usualLimits } from './lane.ts'
import { laneCalls, lanesFor } from './lane-calls.ts'
import { createLanes, type Lanes } from './lanes.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Crawl, Crawler } from '../../../contracts/crawl-ports.ts'
import { isUnkept, requestOf } from '../../../engine/crawl/runner/crawl-job.ts'

type OpenCrawler = Crawler & { close(): Promise<void> }

type CrawlingParts = {
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
function createCrawling({ crawls, isShared, lanes, own, log }: CrawlingParts): OpenCrawler {
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

type Parts = {
  ports: Ports
  browsePage: BrowsePage
  store: () => Promise<Store>
  watchers: Watchers
  log: Log
  telemetry: Telemetry
  /** A crawler of this thread. */
  own(crawls: Ports['crawls']): Promise<OpenCrawler>
  eventWritten(): void
}

/** Crawls in threads. None starts before there is something to crawl. */
export function openLanes(
  config: Config,
  { ports, browsePage, store, watchers, log, telemetry, own, eventWritten }: Parts,
  limits: LaneLimits = usualLimits,
) {
  const { crawls } = ports
  const lanes = createLanes({
    many: lanesFor(config).many,
    // What a lane holds for its calls ends with it, so each has calls of its own.
    start(lane) {
      const calls = laneCalls({ ...ports, browsePage }, watchers.show)
      return startLane({ ...lane, config, limits, log, telemetry, eventWritten, calls })
    },
    isWatched: watchers.isWatched,
    log,
    release: crawls.release,
    takeOver: () => crawling.wake(),
  })
  const crawling = createCrawling({
    crawls,
    async isShared() {
      const { ready, describe } = await store()
      await ready()
      return describe().kind !== 'memory'
    },
    lanes,
    own: (chosen) => own({ ...crawls, running: async (teamId) => chosen(await crawls.running(teamId)) }),
    log,
  })
  watchers.changed = () => lanes.watch(watchers.isWatched())
  return {
    close: crawling.close,
    wake(crawlId?: string): void {
      eventWritten()
      crawling.wake(crawlId)
    },
  }
}
