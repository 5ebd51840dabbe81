import { z } from 'zod'
import { ProviderError } from '../../../../contracts/search-port.ts'
import { type FeedItem, xmlFeed } from '../../../document/feed/feed-xml.ts'
import { parseJson } from './call-api.ts'
import type { Context } from './define-provider.ts'
import { parseHits, parseResponse, type RawHit } from './hits.ts'
import type { ResultPage } from './paging.ts'

type Shape<Body, Item> = {
  /** The text as data; JSON unless it says otherwise. */
  parse?(text: string, context: Context): unknown
  body: z.ZodType<Body>
  items(body: Body, context: Context): readonly unknown[]
  item: z.ZodType<Item>
  toHit(item: Item, context: Context): RawHit | undefined
  /** Set for services with result pages. */
  isLast?(body: Body, page: { nth: number; hits: number }): boolean
}

/** Reads an answer of this shape. Fails with `unreadable answer` where it has another one. */
export const readHits =
  <Body, Item>({ parse = parseJson, body, items, item, toHit: read, isLast = () => true }: Shape<Body, Item>) =>
  (text: string, context: Context): ResultPage => {
    const answer = parseResponse(parse(text, context), body)
    const hits = parseHits(items(answer, context), item, (each) => read(each, context))
    return { hits, isLast: isLast(answer, { nth: context.page, hits: hits.length }) }
  }

/** The shape of an RSS or Atom feed. */
export const feedShape = {
  parse(text: string): unknown {
    const feed = xmlFeed(text)
    if (!feed) throw new ProviderError('unreadable answer', 'It did not answer with a feed.')
    return feed.items
  },
  body: z.array(z.custom<FeedItem>()),
  items: (items: readonly FeedItem[]) => items,
  item: z.custom<FeedItem>(),
}

/** An answer whose results lie in the list `results`. */
export const resultsShape = {
  body: z.object({ results: z.array(z.unknown()) }),
  items: ({ results }: { results: readonly unknown[] }) => results,
}

/** A field that may be missing. */
export const text = z.string().nullish()
export const number = z.number().nullish()
