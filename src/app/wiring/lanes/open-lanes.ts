import type { BrowsePage } from '../../../contracts/fetch.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Config } from '../../config.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import type { Watchers } from '../page-ports.ts'
import { createCrawling, type OpenCrawler } from './crawling.ts'
import { type LaneLimits, startLane, usualLimits } from './lane.ts'
import { laneCalls } from './lane-calls.ts'
import { createLanes } from './lanes.ts'
import { lanesFor } from './shares.ts'

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
