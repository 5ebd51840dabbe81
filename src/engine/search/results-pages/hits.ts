import { z } from 'zod'
import type { PageResponse } from '../../../contracts/fetch.ts'
import { SearchError, type SearchHit } from '../../../contracts/search.ts'
import { pauseOf } from '../provider/ask.ts'
import { isoDate } from '../provider/dates.ts'
import type { ResultsEngine } from './engine.ts'
import type { Reading, ResultsItem } from './read-page.ts'

const Item = z.object({ href: z.string(), title: z.string(), snippet: z.string(), dates: z.array(z.string()) })
const Shape = z.object({
  state: z.enum(['results', 'empty', 'challenge', 'limited', 'loading']),
  items: z.array(Item),
})

/** What was read in the page, which may be anything: the page's own scripts ran beside ours. */
export function readingOf(value: unknown): Reading | undefined {
  const { data } = Shape.safeParse(value)
  return data
}

/** Statuses with which engines send the page that asks for a proof, or nothing at all. */
const refusing = new Set([202, 401, 403, 503])

/** The results of a page, in order. Fails with SearchError for a page that does not show any and does not say so itself. */
export function hitsOf(
  engine: Pick<ResultsEngine, 'targetOf'>,
  reading: Reading | undefined,
  { status, headers }: Pick<PageResponse, 'status' | 'headers'>,
  now: number,
): SearchHit[] {
  const hits = reading?.state === 'results' ? unique(reading.items.flatMap((item) => hitOf(engine, item, now))) : []
  if (hits.length > 0) return hits
  if (status === 429 || reading?.state === 'limited')
    throw new SearchError('rate limited', 'It takes no more queries.', { pauseMs: pauseOf(headers, now) })
  if (refusing.has(status) || reading?.state === 'challenge')
    throw new SearchError('bot challenge', 'It asks for a proof that a person is there, which is not given.')
  if (reading?.state === 'empty' && status < 400) return []
  throw new SearchError('unreadable answer', 'Its page shows neither results nor that there are none.')
}

function hitOf({ targetOf }: Pick<ResultsEngine, 'targetOf'>, item: ResultsItem, now: number): SearchHit[] {
  const link = URL.parse(item.href)
  const target = link && URL.parse(targetOf(link) ?? '')
  if (!target || !/^https?:$/.test(target.protocol)) return []
  const date = item.dates.map((text) => isoDate(trimmed(text), now)).find(Boolean)
  return [
    {
      url: target.href,
      title: item.title,
      ...(item.snippet !== '' && { description: item.snippet }),
      ...(date !== undefined && { date }),
    },
  ]
}

/** A day is often written as its midnight, and set off from what follows it. */
const trimmed = (text: string): string =>
  text.replace(/^[\s·•|–—-]+|[\s·•|–—-]+$/g, '').replace(/T00:00:00(?:\.0+)?Z?$/, '')

function unique(hits: readonly SearchHit[]): SearchHit[] {
  return [...new Map(hits.toReversed().map((hit) => [hit.url, hit])).values()].toReversed()
}
