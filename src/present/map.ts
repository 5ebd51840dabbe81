import type { Presentation } from '../kernel/operation.ts'
import { withoutSiteName } from './titles.ts'
import { shortened, splitUrls } from './url-table.ts'
import type { MapOutput } from '../schema/map.ts'

/** The links one a line, what all of them begin with once. Titles and addresses are the site's, so they stand in the marked block only. */
export function presentMap({ links, warning }: MapOutput, url: string): Presentation {
  const count = links.length === 1 ? '1 link' : `${links.length} links`
  const own = [`${count}.`, ...(warning ? [`Warning: ${warning}`] : [])].join('\n')
  if (links.length === 0) return { parts: [{ kind: 'text', text: own }] }
  const { base, rests } = splitUrls(links.map((link) => link.url))
  const below = base === '' ? [] : [`Below ${base}`]
  const titles = withoutSiteName(links.map(({ title = '' }) => title))
  const text = [...below, ...links.map((_, index) => `${rests[index]}${titleOf(titles[index])}`)].join('\n')
  return {
    parts: [
      { kind: 'text', text: own },
      { kind: 'page', text, origin: url, label: 'links' },
    ],
  }
}

/** A title of several lines would look like further links. */
const titleOf = (title: string | undefined) => (title ? ` — ${shortened(title)}` : '')
