import { createHash } from 'node:crypto'
import type { LabelledPage } from '../content/page-set.ts'
import { saysNothing, type Gold } from './gold.ts'

/** The half of the pages that a figure is of; the methods were tuned on the other one. */
export type Half = 'held out' | 'tuned on'

/**
 * The sites of which a page may be looked at: those with a page that describes itself and whose number says so. All other sites
 * are held out, whole, since the pages of one site are made alike.
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

/** A number of a text that is the same in every run. */
export const digit = (text: string): number => createHash('sha1').update(text).digest()[0] ?? 0
