import type { Document } from '../../schema/scrape/document.ts'
import type { CrawlState } from '../export/follow.ts'
import type { Outlets } from '../export/outlets.ts'
import type { CrawlPlan } from '../export/request.ts'
import type { CrawlFaults } from '../export/summary.ts'
import type { Call } from './caller.ts'
import type { WatchView } from './view.ts'

/** Who takes a crawl up by its id may not know its URL. */
export async function urlOf({ start }: CrawlPlan, call: Call): Promise<string> {
  if (!('resumed' in start)) return start.url
  const { id, url } = start.resumed
  if (url !== id) return url
  const { crawls } = await call<{ crawls: readonly { id: string; url: string }[] }>('crawl_active', {})
  return crawls.find((each) => each.id === id)?.url ?? id
}

type Watched = { plan: CrawlPlan; outlets: Outlets; view: WatchView | undefined }

/** Shows pages as they are written. Of a crawl that is taken up, those that the first look brings came before. */
export function watching({ plan, outlets, view }: Watched, call: Call, id: string) {
  let earlier = 'resumed' in plan.start ? undefined : 0
  let known = 0
  return {
    seen(state: CrawlState): CrawlState {
      earlier ??= state.completed
      return state
    },
    async write(document: Document): Promise<void> {
      await outlets.write(document)
      view?.came(document, outlets.written() <= (earlier ?? 0) ? 'earlier' : 'now')
    },
    async told(failed: number): Promise<void> {
      if (view && failed > known) view.failed((await call<CrawlFaults>('crawl_errors', { id })).errors)
      known = failed
    },
  }
}
