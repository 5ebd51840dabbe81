import type { SearchData } from '../../schema/search-schema.ts'
import type { Offered, Presentation } from '../../kernel/operation.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { sanitiseText } from '../../util/sanitise-text.ts'
import { ownWords } from './present-lists.ts'

/** True if a host takes the pair `search` and `fetch`, whose answers it parses. */
export const isForResearch = (offered: Offered): boolean => offered.has('fetch') && !offered.has('scrape')

/** The host reads these answers as JSON, so they have no marks around the text of pages. */
const asJson = (value: object): Presentation => ({
  parts: [ownWords(sanitiseText(JSON.stringify(value)))],
  isJson: true,
})

const maxDescription = 300
const maxText = 100_000

type Found = { data: SearchData; warning: string | null }

/** The id of a result is its URL. */
export function presentFound({ data: { web = [], news = [] }, warning }: Found): Presentation {
  const found = [
    ...web.map(({ url, title, description }) => ({ url, title, text: description })),
    ...news.map(({ url, title, snippet }) => ({ url, title, text: snippet })),
  ]
  const results = found.map(({ url, title, text }) => ({ id: url, title, url, text: text?.slice(0, maxDescription) }))
  return asJson({ results, ...(warning !== null && { warning }) })
}

export function presentFetched(id: string, { markdown = '', metadata }: Document): Presentation {
  const { url, title = url, statusCode, description } = metadata
  const text = markdown.slice(0, maxText)
  const facts = { statusCode, description, ...(text.length < markdown.length && { characters: markdown.length }) }
  return asJson({ id, title, text, url, metadata: facts })
}
