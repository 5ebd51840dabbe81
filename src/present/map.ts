import type { Presentation } from '../kernel/operation.ts'
import type { MapOutput } from '../schema/map.ts'

/** The links as a numbered list, one a line. Titles and addresses are the site's, so they stand in the marked block only. */
export function presentMap({ links, warning }: MapOutput, url: string): Presentation {
  const count = links.length === 1 ? '1 link' : `${links.length} links`
  const own = [`${count}.`, ...(warning ? [`Warning: ${warning}`] : [])].join('\n')
  if (links.length === 0) return { parts: [{ kind: 'text', text: own }] }
  const text = links.map((link, index) => `${index + 1}. ${link.url}${titleOf(link.title)}`).join('\n')
  return {
    parts: [
      { kind: 'text', text: own },
      { kind: 'page', text, origin: url, label: 'links' },
    ],
  }
}

/** A title of several lines would look like further links. */
const titleOf = (title: string | undefined) => (title ? ` — ${title.replace(/\s+/g, ' ')}` : '')
