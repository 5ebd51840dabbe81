import type { Snapshot } from '../../core/crawl.ts'
import type { Ports } from '../../core/ports.ts'
import type { PageHistory } from '../format/maker.ts'
import { cacheUrl } from '../net/canonical-url.ts'
import type { Plan } from '../page/plan.ts'
import type { Got } from './get-page.ts'

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
