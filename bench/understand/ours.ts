import { factsOf, tablesOf } from '../../src/engine/understand/json/named-facts.ts'
import { fillSchema } from '../../src/engine/understand/json/fill.ts'
import { readHtml } from '../../src/engine/html/page/read-parts.ts'
import { answerFrom, answerOf, highlightsOf, highlightsFrom } from '../../src/engine/understand/questions.ts'
import type { PageContent } from '../../src/contracts/page-content.ts'
import { asScraped } from '../content/ours.ts'
import type { Reader } from './reader.ts'

const text = { type: 'string' }
const schemas = {
  article: { type: 'object', properties: { title: text, author: text, date: { type: 'string', format: 'date' } } },
  product: { type: 'object', properties: { name: text, price: { type: 'number' } } },
}

/** Keeps the last page, because several readers request it in a row. */
let last: { html: string; content: PageContent } | undefined
function read(html: string, url: string): PageContent {
  if (last?.html !== html) last = { html, content: readHtml({ ...asScraped, wanted, html, url }) }
  return last.content
}

const wanted = ['markdown', 'metadata', 'product', 'structuredData', 'facts', 'text'] as const

/** Creates the formats without a language model, as a scrape does. */
export const ours: Reader = {
  name: 'gossamer, without a model',
  open(html, url) {
    const content = read(html, url)
    const material = { facts: factsOf(content), tables: tablesOf(content.markdown ?? '') }
    return {
      answer: (question) => answerOf(content, question)?.text ?? '',
      highlights: (query) => highlightsOf(content, query).join('\n'),
      fields: (kind) => Object(fillSchema(schemas[kind], material).value) as Record<string, unknown>,
    }
  },
}

/** The same methods on a single text, to show what the questions of collapsed sections and the rest of the page add. */
const onlyOf = (name: string, part: 'markdown' | 'text'): Reader => ({
  name,
  open(html, url) {
    const content = read(html, url)[part] ?? ''
    return {
      answer: (question) => answerFrom(content, question)?.text ?? '',
      highlights: (query) => highlightsFrom(content, query).join('\n'),
    }
  },
})
export const oursOnMain = onlyOf('gossamer, main content alone', 'markdown')
export const oursOnWhole = onlyOf('gossamer, text of the whole page', 'text')
