import type { Snapshot } from '../../contracts/crawl.ts'
import type { Clock, Ports } from '../../contracts/ports.ts'
import { once } from '../../util/lazy.ts'
import { cacheUrl } from '../net/http/canonical-url.ts'
import type { PageHistory, PageView } from './formats/maker.ts'
import type { Got } from './get-page.ts'
import type { Plan } from './plan.ts'

type Facts = {
  url: string
  teamId: string
  got: Pick<Got, 'page' | 'parts' | 'wall' | 'fetchedAt' | 'cachedAt'>
  plan: Pick<Plan, 'keepsNothing'>
  isLinked?: boolean
}

/**
 * The team's snapshots of a URL. What is offered to be kept waits for `settle`: a scrape that fails in the end has shown
 * its caller nothing, and the change would be lost for the next one.
 */
export function historyOf(
  { snapshots }: Pick<Ports, 'snapshots'>,
  { url, teamId, got, plan, isLinked = true }: Facts,
): { history: PageHistory; settle(signal: AbortSignal): Promise<void> } {
  const key = cacheUrl(url)
  const offered: { tag: string; snapshot: Snapshot }[] = []
  const { page, parts, wall, fetchedAt, cachedAt } = got
  return {
    history: {
      sight: {
        status: page.status,
        at: fetchedAt,
        origin: cachedAt === undefined ? 'site' : 'cache',
        standIn: wall ? 'bot check' : parts.needsBrowser ? 'shell without text' : undefined,
      },
      isLinked,
      last: (tag) => snapshots.last(teamId, key, tag),
      ...(!plan.keepsNothing && { keep: (tag, snapshot) => void offered.push({ tag, snapshot }) }),
    },
    settle: async (signal) => {
      if (offered.length > 0) signal.throwIfAborted()
      await Promise.all(offered.map(({ tag, snapshot }) => snapshots.keep(teamId, key, tag, snapshot)))
    },
  }
}

const maxSearchMs = 20_000
/** Of the time that is left, so that a slow search leaves some for the answer. */
const share = 0.8

type Search = { got: Pick<Got, 'page' | 'wall'>; plan: Pick<Plan, 'onCacheMiss'>; endsAt: number; signal: AbortSignal }

/** The search for media that the HTML does not name, made once for all formats; absent where nothing may be fetched or no page came. */
export function mediaBehind(
  { findMedia, clock }: Pick<Ports, 'findMedia'> & { clock: Clock },
  { got: { page, wall }, plan, endsAt, signal }: Search,
): Pick<PageView, 'mediaBehind'> {
  if (plan.onCacheMiss || (page.status >= 400 && !wall)) return {}
  return {
    mediaBehind: once(() => {
      const limitMs = Math.min(maxSearchMs, share * (endsAt - clock.now()))
      return findMedia({ url: page.url, limitMs, signal })
    }),
  }
}
