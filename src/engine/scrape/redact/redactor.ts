import { piiEntities, type PiiEntity, type Redaction } from '../../../schema/scrape/scrape-options.ts'
import { isRecord } from '../../../util/json.ts'
import { createSpanFinder, type Finders } from './find-spans.ts'
import { countriesOf, createPhoneFinder } from './find-phones.ts'
import { placeholder, type Span } from './placeholder.ts'
import { redactHtml, redactText } from './redact-html.ts'

/** Our own fields, which contain nothing of the page. */
const own = new Set(['scrapeId', 'cachedAt', 'previousScrapeAt'])
const htmlFields = new Set(['html', 'rawHtml'])

export type Redactor = {
  /** Replaces all that identifies a person in the source of a page, or in another text. */
  html(source: string, url: string): string
  text(source: string): string
  /** The same in every text within a value. */
  values<T>(value: T): T
  /** Adds what a model found, verbatim. */
  learn(named: Finders['named']): void
  /** Writes the replaced parts in the requested style. */
  finish<T>(value: T): T
}

/** Loads its tables on first use: most scrapes redact nothing. */
export async function createRedactor(
  { mode, entities, replaceStyle }: Redaction,
  { location, url: pageUrl }: { location?: string | undefined; url?: string | undefined },
): Promise<Redactor> {
  const library = await import('libphonenumber-js/min')
  const isEager = mode === 'aggressive'
  const wanted = new Set<PiiEntity>(entities ?? piiEntities)
  const state = { countries: countriesOf('', '', location), named: [] as Finders['named'] }
  const finder = () => {
    const found = createSpanFinder({
      entities: wanted,
      isEager,
      phones: createPhoneFinder(library, state.countries, isEager),
      named: state.named,
    })
    return (text: string) => found(text).filter((span) => !isOwnHost(text, span, pageUrl))
  }
  let find = finder()
  const replace = ({ kind }: Span, text: string) =>
    `redactedpii${kind.toLowerCase()}${replaceStyle === 'mask' ? `x${text.length}` : ''}z`
  const redactor: Redactor = {
    html(source, url) {
      state.countries = countriesOf(source, url, location)
      find = finder()
      return redactHtml(source, find, replace)
    },
    text: (source) => redactText(source, find, replace),
    values: (value) => mapTexts(value, (text, isHtml) => (isHtml ? redactHtml : redactText)(text, find, replace)),
    learn(named) {
      state.named = [...state.named, ...named.filter(({ kind }) => wanted.has(kind))]
      find = finder()
    },
    finish: (value) => mapTexts(redactor.values(value), (text, isHtml) => written(text, replaceStyle, isHtml)),
  }
  return redactor
}

/** True for the host in a URL of the page's own site: if it is an IP address, nothing could be fetched without it. */
const isOwnHost = (text: string, { start, end }: Span, url: string | undefined): boolean =>
  text.slice(start - 2, start) === '//' && text.slice(start, end) === (url && URL.parse(url)?.hostname)

function written(text: string, style: Redaction['replaceStyle'], isHtml: boolean): string {
  return text.replaceAll(placeholder, (_, kind: string, length: string | undefined) => {
    if (style === 'remove') return ''
    if (style === 'mask') return '*'.repeat(Number(length))
    const tag = `<${kind.toUpperCase()}>`
    return isHtml ? tag.replace('<', '&lt;').replace('>', '&gt;') : tag
  })
}

type MapText = (text: string, isHtml: boolean) => string

/** Data URLs hold no words, and numbers only where a page wrote them as numbers. */
function mapTexts<T>(value: T, map: MapText): T {
  const walk = (each: unknown, field: string): unknown => {
    if (typeof each === 'string') return each.startsWith('data:') ? each : map(each, htmlFields.has(field))
    if (typeof each === 'number' && Number.isSafeInteger(each) && each > 1e9 && field !== 'at') {
      const text = map(String(each), false)
      return text === String(each) ? each : text
    }
    if (Array.isArray(each)) return each.map((item) => walk(item, field))
    if (!isRecord(each)) return each
    return Object.fromEntries(
      Object.entries(each).map(([name, item]) => [map(name, false), own.has(name) ? item : walk(item, name)]),
    )
  }
  return walk(value, '') as T
}
