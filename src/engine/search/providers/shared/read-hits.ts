import { z } from 'zod'
import { ProviderError, type SearchHit } from '../../../../contracts/search-port.ts'
import { type FeedItem, xmlFeed } from '../../../document/feed/feed-xml.ts'
import { parseJson } from './call-api.ts'
import type { Context, ResultPage } from './define-provider.ts'
import { isoDate } from './search-scope.ts'
import { decodeHTMLStrict } from 'entities/decode'
import { sanitiseLine } from '../../../../util/sanitise-text.ts'

const ErrorResponse = z.object({ error: z.object({ code: z.string() }) })

/** Parses a response of a MediaWiki API, which reports errors with status 200. */
export function parseMediaWiki(answer: string): unknown {
  const response = parseJson(answer)
  const failed = ErrorResponse.safeParse(response)
  if (!failed.success) return response
  const { code } = failed.data.error
  if (code === 'ratelimited') throw new ProviderError('rate limited', 'It accepts no more requests for now.')
  if (/^(?:maxlag|readonly|internal_api_error|cirrussearch-\w*(?:busy|timeout|backend))/.test(code))
    throw new ProviderError('unreachable', 'It cannot answer at the moment.')
  throw new ProviderError('refused', 'It does not take this request.', { pauseMs: 0 })
}

/** Returns the header in which Wikimedia wants a contact of API clients. */
export const contactHeader = (email: string | undefined): Record<string, string> =>
  email === undefined ? {} : { 'api-user-agent': `gossamer (${email})` }

const tag = /<!--[^]*?-->|<\/?[a-z][\w:-]*(?:\s[^<>]*)?\/?>/gi
const blockTag = /<\/?(?:p|br|div|li|ul|ol|tr|td|h\d|(?:jats:)?(?:p|title|sec))\b[^<>]*>/gi

const maxChars = 600
/** Maximum characters that are read of a title or snippet. */
const maxRead = 20_000

/** Converts text to one line, without invisible characters. */
const collapseWhitespace = (value: string): string => sanitiseLine(value.slice(0, maxRead))

/** Converts an HTML fragment to text on one line: tags removed, character references resolved. */
export const fromHtml = (html: string): string =>
  collapseWhitespace(decodeHTMLStrict(html.slice(0, maxRead).replace(blockTag, ' ').replace(tag, '')))

/** Truncates text to `max` characters at a word boundary, with an ellipsis. */
export function truncate(value: string, max = maxChars): string {
  if (value.length <= max) return value
  const cut = value.slice(0, max - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > max / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

/** A result as returned by a provider; texts have no markup. */
type RawHit = {
  url: string
  title: string
  description?: string | null | undefined
  date?: string | null | undefined
  imageUrl?: string | null | undefined
  imageWidth?: number | null | undefined
  imageHeight?: number | null | undefined
}

/** Validates the shape of a response. Fails with `unreadable answer`. */
export function parseResponse<T>(data: unknown, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(data)
  if (parsed.success) return parsed.data
  throw new ProviderError('unreadable answer', 'Its answer does not have the documented shape.', {
    cause: parsed.error,
  })
}

/** Parses results and skips malformed ones; fails with `unreadable answer` if all are malformed. */
function parseHits<T>(
  items: readonly unknown[],
  shape: z.ZodType<T>,
  toRawHit: (item: T) => RawHit | undefined,
): SearchHit[] {
  const hits = items.flatMap((item) => {
    const parsed = shape.safeParse(item)
    const raw = parsed.success ? toRawHit(parsed.data) : undefined
    return raw ? toHit(raw) : []
  })
  if (items.length > 0 && hits.length === 0)
    throw new ProviderError('unreadable answer', 'None of its results has the documented shape.')
  return hits
}

/** Converts a result to a hit; empty unless the URL is http or https. */
export function toHit(raw: RawHit): SearchHit[] {
  const url = webUrl(raw.url)
  if (url === undefined) return []
  const description = truncate(collapseWhitespace(raw.description ?? ''))
  const date = isoDate(raw.date)
  const imageUrl = webUrl(raw.imageUrl ?? '')
  const [imageWidth, imageHeight] = [pixels(raw.imageWidth), pixels(raw.imageHeight)]
  return [
    {
      url,
      title: collapseWhitespace(raw.title) || url,
      ...(description !== '' && { description }),
      ...(date !== undefined && { date }),
      ...(imageUrl !== undefined && { imageUrl }),
      ...(imageWidth !== undefined && { imageWidth }),
      ...(imageHeight !== undefined && { imageHeight }),
    },
  ]
}

function webUrl(written: string): string | undefined {
  const url = URL.parse(written.startsWith('//') ? `https:${written}` : written)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

const pixels = (size: number | null | undefined) =>
  size !== null && size !== undefined && Number.isFinite(size) && size > 0 ? Math.round(size) : undefined

type Shape<Body, Item> = {
  /** Parses the response text; as JSON by default. */
  parse?(text: string, context: Context): unknown
  body: z.ZodType<Body>
  items(body: Body, context: Context): readonly unknown[]
  item: z.ZodType<Item>
  toHit(item: Item, context: Context): RawHit | undefined
  /** True for the last page of results. By default, the first page is the last. */
  isLast?(body: Body, page: { nth: number; hits: number }): boolean
}

/** Creates a reader for responses of this shape. The reader fails with `unreadable answer` for any other response. */
export const readHits =
  <Body, Item>({ parse = parseJson, body, items, item, toHit: read, isLast = () => true }: Shape<Body, Item>) =>
  (text: string, context: Context): ResultPage => {
    const answer = parseResponse(parse(text, context), body)
    const hits = parseHits(items(answer, context), item, (each) => read(each, context))
    return { hits, isLast: isLast(answer, { nth: context.page, hits: hits.length }) }
  }

/** Shape of an RSS or Atom feed. */
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

/** Shape of a response with its results in the list `results`. */
export const resultsShape = {
  body: z.object({ results: z.array(z.unknown()) }),
  items: ({ results }: { results: readonly unknown[] }) => results,
}

/** Optional text field. */
export const text = z.string().nullish()
export const number = z.number().nullish()
