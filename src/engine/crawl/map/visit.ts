import type { PageParts } from '../../../contracts/ports.ts'
import { AppError } from '../../../kernel/error.ts'
import { getPage } from '../../scrape/get-page.ts'
import { wishOf } from '../../scrape/parts.ts'
import { planPage } from '../../scrape/plan.ts'
import { type MapPorts, pageInput, type Site } from './site.ts'

/** What a page brought, or why it could not be read. */
export type Visited =
  | {
      url: string
      status: number
      isWall: boolean
      title: string | undefined
      description: string | undefined
      anchors: NonNullable<PageParts['anchors']>
    }
  | { failure: AppError }

/** The parts are made by no options, so that they have a name of their own in the cache. */
const variant = 'links of the page'
const maxBytes = 10_000_000
const nothing: PageParts = { anchors: [], metadata: {} }

/** Reads one page for its links and what it says of itself. Rejects only when `signal` does. */
export async function visitForLinks(ports: MapPorts, site: Site, url: string, signal: AbortSignal): Promise<Visited> {
  const { id: teamId } = site.call.team
  const input = pageInput(site, url)
  const plan = planPage(input, teamId)
  const wish = { ...wishOf(input, plan.content), parts: ['anchors', 'metadata'] as const, variant }
  // A file that must be converted for its links costs more than they are worth.
  const light: MapPorts = {
    ...ports,
    readDocument: async () => nothing,
    fetchPage: (request) => ports.fetchPage({ ...request, maxBytes }),
  }
  try {
    const { page, parts, wall } = await getPage(light, { url, teamId, plan, wish }, signal)
    const { title, description } = parts.metadata ?? {}
    return {
      url: page.url,
      status: page.status,
      isWall: wall !== undefined,
      title: textOf(title),
      description: textOf(description),
      anchors: parts.anchors ?? [],
    }
  } catch (thrown) {
    if (thrown instanceof AppError) return { failure: thrown }
    throw thrown
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
