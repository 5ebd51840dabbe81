import type { Converted, Converter } from '../converter.ts'
import { readXml } from './code.ts'
import { textOf } from './decode.ts'
import { htmlOf } from './feed-html.ts'
import type { Feed } from './feed-model.ts'
import { jsonFeed } from './feed-json.ts'
import { xmlFeed } from './feed-xml.ts'
import { readJson } from './json.ts'

/** RSS, Atom and JSON Feed as a page: what it is, then each item with its date, author and content. What is no feed is shown as it is. */
export const readFeed: Converter = (source): Converted | Promise<Converted> => {
  const text = textOf(source)
  const isJson = text.trimStart().startsWith('{')
  const feed = isJson ? jsonFeed(text) : xmlFeed(text)
  if (!feed || (feed.items.length === 0 && feed.title === '')) return isJson ? readJson(source) : readXml(source)
  return { html: htmlOf(feed, source.url), metadata: metadataOf(feed) }
}

const metadataOf = ({ title, description, language, generator, author, updated, favicon, items }: Feed) => ({
  ...withoutAbsent({
    title: plainText(title),
    description: plainText(description),
    language,
    generator,
    author,
    modifiedTime: updated,
    favicon,
  }),
  itemCount: items.length,
})

const withoutAbsent = (facts: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value))

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
  nbsp: ' ',
}

/** HTML of one line as text: without tags, and with the commonest references resolved. */
function plainText(html: string): string {
  return html
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/&(amp|lt|gt|quot|#39|apos|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
}
