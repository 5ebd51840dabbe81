import { createHash } from 'node:crypto'
import type { LabelledPage } from '../content/page-set.ts'
import { saysNothing, type Gold } from './gold.ts'

/** Half of the pages; the methods were tuned on one of them. */
export type Half = 'held out' | 'tuned on'

/**
 * Returns the sites whose pages may be used for tuning: those with a page that describes itself, chosen by a hash of
 * the host. All pages of the other sites are held out, since the pages of one site are alike.
 */
export async function tunedSites(
  pages: AsyncIterable<LabelledPage>,
  goldOf: (html: string) => Gold,
): Promise<Set<string>> {
  const sites = new Set<string>()
  for await (const { id, url, html } of pages)
    if (digit(id) % 2 === 0 && !saysNothing(goldOf(html))) sites.add(siteOf(url))
  return sites
}

export const halfOf = (url: string, tuned: ReadonlySet<string>): Half =>
  tuned.has(siteOf(url)) ? 'tuned on' : 'held out'

const siteOf = (url: string) => new URL(url).hostname.replace(/^www\./, '')

/** Hashes a text to a number that is the same in every run. */
export const digit = (text: string): number => createHash('sha1').update(text).digest()[0] ?? 0
