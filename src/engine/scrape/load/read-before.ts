import { build } from '../../../util/build.ts'
import type { PageContent } from '../../../contracts/page-content.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { PageRequest } from '../request.ts'
import type { LoadedPage } from './loaded-page.ts'

type Came = Pick<LoadedPage, 'response' | 'challenge'>

/**
 * What this build of the program has read of the very same body before, if that is all that is wanted: a page of a crawl that
 * has not changed since is not read again. A single scrape would wait longer for the database than it gains.
 */
export async function readBefore(
  { pages }: Pick<Ports, 'pages'>,
  { plan }: Pick<PageRequest, 'plan'>,
  { response, challenge }: Came,
): Promise<PageContent | undefined> {
  const { status, faults, body } = response
  if (plan.render.reuse === undefined || !plan.storesPage || challenge || faults || status < 200 || status > 299)
    return undefined
  const made = await pages.madeOfSame(plan.cacheKey, response, body)
  const content = made?.[plan.content.variant]
  const isWhole = content?.readBy === build && plan.content.parts.every((part) => part in content)
  return isWhole ? content : undefined
}

/** Marks what may be taken again: not what a browser is still to make better, nor what had a reason to warn. */
export function markedRead(loaded: LoadedPage): LoadedPage {
  const { needsBrowser, unfilled, warning } = loaded.content
  if (needsBrowser || unfilled || warning !== undefined) return loaded
  return { ...loaded, content: { ...loaded.content, readBy: build } }
}
