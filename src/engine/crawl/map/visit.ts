import { AppError } from '../../../kernel/error.ts'
import { getPage } from '../../scrape/get-page.ts'
import { type Plan, planPage } from '../../scrape/plan.ts'
import { type MapPorts, pageInput, type Site } from './site.ts'
import type { PageContent } from '../../../contracts/page-content.ts'

/** What a page brought, or why it could not be read. */
export type Visited =
  | {
      url: string
      status: number
      isWall: boolean
      title: string | undefined
      description: string | undefined
      anchors: NonNullable<PageContent['anchors']>
    }
  | { failure: AppError }

/** The parts are made by no options, so that they have a name of their own in the cache. */
const variant = 'links of the page'
const maxBytes = 10_000_000
const nothing: PageContent = { anchors: [], metadata: {} }

/** Reads one page for its links and what it says of itself. Rejects only when `signal` does. */
export async function visitForLinks(ports: MapPorts, site: Site, url: string, signal: AbortSignal): Promise<Visited> {
  const { team } = site.call
  const input = pageInput(site, url)
  const page = planPage(input, team.id)
  const plan: Plan = { ...page, content: { ...page.content, parts: ['anchors', 'metadata'], variant } }
  // A file that must be converted for its links costs more than they are worth.
  const light: MapPorts = {
    ...ports,
    readDocument: async () => nothing,
    fetchPage: (request) => ports.fetchPage({ ...request, maxBytes }),
  }
  try {
    const { response, content, challenge } = await getPage(light, { input, plan, team, signal })
    const { title, description } = content.metadata ?? {}
    return {
      url: response.url,
      status: response.status,
      isWall: challenge !== undefined,
      title: textOf(title),
      description: textOf(description),
      anchors: content.anchors ?? [],
    }
  } catch (thrown) {
    if (thrown instanceof AppError) return { failure: thrown }
    throw thrown
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
