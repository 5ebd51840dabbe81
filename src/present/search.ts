import { allOffered, type Offered } from '../kernel/offer/offered.ts'
import type { Part, Presentation } from '../kernel/operation.ts'
import type { NewsResult, SearchData, WebResult } from '../schema/search.ts'

type Answer = { data: SearchData; warning: string | null }

const maxPassage = 300

/** Results as a numbered list an agent can choose from. All of it is the words of others. */
export function presentSearch({ data, warning }: Answer, offered: Offered = allOffered): Presentation {
  const { web, news, images } = data
  const count = [web, news, images].reduce((sum, list) => sum + (list?.length ?? 0), 0)
  const isScraped = [...(web ?? []), ...(news ?? [])].some(({ metadata }) => metadata !== undefined)
  const head = [
    count === 0 ? 'No results.' : `${count} ${count === 1 ? 'result' : 'results'}.`,
    ...(warning === null ? [] : [`Warning: ${warning}`]),
    ...(isScraped && offered.has('scrape_result')
      ? ['Read a scraped page in full with scrape_result and its scrapeId.']
      : []),
  ]
  const lists = [
    ...section(
      'web',
      web?.map((result) => entry(result, result.description)),
    ),
    ...section(
      'news',
      news?.map((result) => entry(result, result.snippet)),
    ),
    ...section(
      'images',
      images?.map(({ position, title, imageUrl, imageWidth, imageHeight, url }) =>
        [
          `${position}. ${oneLine(title)}`,
          `${imageUrl}${imageWidth ? ` (${imageWidth}×${imageHeight ?? '?'})` : ''}`,
          `on ${url}`,
        ].join('\n   '),
      ),
    ),
  ]
  return { parts: [{ kind: 'text', text: head.join('\n') }, ...lists] }
}

function section(label: string, entries: readonly string[] | undefined): Part[] {
  return entries && entries.length > 0
    ? [{ kind: 'page', label, origin: 'search results', text: entries.join('\n') }]
    : []
}

function entry(result: WebResult | NewsResult, passage: string): string {
  const { position, title, url, date, metadata } = result
  const lines = [
    `${position}. ${oneLine(title)}`,
    [url, ...(date ? [date.slice(0, 10)] : [])].join(' · '),
    ...(passage ? [shortened(oneLine(passage))] : []),
    ...(metadata?.error ? [`could not be scraped: ${oneLine(metadata.error)}`] : []),
    ...(typeof metadata?.['scrapeId'] === 'string'
      ? [`scrapeId ${metadata['scrapeId']}, ${result.markdown?.length ?? 0} characters`]
      : []),
  ]
  return lines.join('\n   ')
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const shortened = (text: string) => (text.length > maxPassage ? `${text.slice(0, maxPassage)}…` : text)
