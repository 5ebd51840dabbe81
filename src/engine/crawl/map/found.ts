import { sanitiseLine } from '../../../util/unseen/sanitise-text.ts'
import type { PageSource } from '../../../contracts/crawl.ts'
import type { MapLink } from '../../../schema/map.ts'
import { doubtfulEnding, type Scope } from '../scope/scope.ts'

type Entry = MapLink & {
  /** As it is visited, which may differ from how it is listed. */
  visit: string
  /** Whether the page was read. */
  isSeen: boolean
}

/** The links of a site while they are found: each page once, in the order they came. */
export type Found = {
  /** Takes an address that belongs to the site, and answers it, as it is visited, if it is new. The first title of a page stays. */
  add(url: string, source: PageSource, title?: string): string | undefined
  /** What a page says of itself counts more than what links say of it. */
  describe(url: string, facts: { title?: string | undefined; description?: string | undefined }): void
  drop(url: string): void
  size(): number
  isFull(): boolean
  /** The start first, if it is there. */
  links(): MapLink[]
  /** The addresses of pages that were not read, as they are visited. */
  unseen(): string[]
  isSeen(url: string): boolean
}

const maxTitle = 300
const maxDescription = 500

export type FoundRules = {
  startUrl: string
  /** So many links are enough. */
  most: number
  queries: 'kept' | 'dropped'
}

export function createFound(scope: Pick<Scope, 'judge' | 'keyOf'>, { startUrl, most, queries }: FoundRules): Found {
  const entries = new Map<string, Entry>()
  const dropped = new Set<string>()
  const startKey = scope.keyOf(startUrl)

  return {
    add(found, source, title) {
      const verdict = scope.judge(found, 0, source)
      if ('skipped' in verdict || (source !== 'start' && doubtfulEnding(new URL(verdict.page.url).pathname)))
        return undefined
      const { key, url } = verdict.page
      const known = entries.get(key)
      if (known && !known.title) entries.set(key, { ...known, ...fields(title, undefined) })
      if (known || dropped.has(key) || entries.size >= most) return undefined
      const listed = queries === 'kept' || source === 'start' ? url : withoutQuery(url)
      entries.set(key, { url: listed, visit: url, isSeen: false, ...fields(title, undefined) })
      return url
    },
    describe(url, { title, description }) {
      const key = scope.keyOf(url)
      const known = entries.get(key)
      if (known) entries.set(key, { ...known, isSeen: true, ...fields(title, description) })
    },
    drop(url) {
      const key = scope.keyOf(url)
      entries.delete(key)
      dropped.add(key)
    },
    size: () => entries.size,
    isFull: () => entries.size >= most,
    links() {
      const start = entries.get(startKey)
      const others = [...entries].filter(([key]) => key !== startKey).map(([, entry]) => entry)
      return (start ? [start, ...others] : others).map(linkOf)
    },
    unseen: () => Array.from(entries.values()).flatMap(({ visit, isSeen }) => (isSeen ? [] : [visit])),
    isSeen: (url) => entries.get(scope.keyOf(url))?.isSeen ?? false,
  }
}

function linkOf({ url, title, description }: Entry): MapLink {
  return { url, ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
}

/** What links say that say nothing of where they lead. */
const empty =
  /^(?:(?:click|tap|see) )?here$|^(?:(?:read|learn|view|see|show|find out) )?(?:more|details|all)(?: here)?\W*$|^(?:link|continue(?: reading)?|next|previous|back)\W*$|^[^\p{L}\p{N}]*$/iu

const fields = (title: string | undefined, description: string | undefined) => ({
  ...(title && !empty.test(title) && { title: shortened(title, maxTitle) }),
  ...(description && { description: shortened(description, maxDescription) }),
})

function shortened(said: string, most: number): string {
  const text = sanitiseLine(said)
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function withoutQuery(url: string): string {
  const parsed = new URL(url)
  parsed.search = ''
  return parsed.href
}
