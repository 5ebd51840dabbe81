import type { Element } from '../dom/dom.ts'
import { cleanText } from '../dom/hygiene.ts'
import type { Survey } from '../dom/survey.ts'
import { jsonLdOf } from './json-ld.ts'

/** Contents of meta tags by name in lower case. */
export type MetaValues = ReadonlyMap<string, readonly string[]>

/** Names in use for what has no name of its own in the public API; structured data comes before them. */
const published = [
  'datepublished',
  'pubdate',
  'publishdate',
  'publish-date',
  'date',
  'dc.date.issued',
  'dcterms.issued',
  'parsely-pub-date',
  'citation_publication_date',
]
const modified = ['datemodified', 'last-modified', 'lastmod', 'revised', 'dcterms.modified', 'dc.date.modified']
const authors = [
  'author',
  'dc.creator',
  'dcterms.creator',
  'citation_author',
  'parsely-author',
  'article:author',
  'twitter:creator',
]

/** Who wrote a page and when, and what its structured data is about; the words of the page itself are not searched. */
export function bylineOf(survey: Survey, metas: MetaValues) {
  const data = jsonLdOf(survey)
  const first = (list: readonly string[]) => list.map((name) => metas.get(name)?.[0]).find(Boolean)
  return {
    author: authorOf(metas) ?? clean(data.author) ?? first(['article:author', 'twitter:creator']),
    publishedTime: clean(data.published) ?? first(published) ?? timeOf(survey, 'published'),
    modifiedTime: clean(data.modified) ?? first(modified) ?? timeOf(survey, 'modified'),
    jsonLdTypes: data.types.length > 0 ? data.types.map(cleanText) : undefined,
  }
}

const clean = (text: string | undefined) => (text === undefined ? undefined : cleanText(text).trim() || undefined)

/** All authors that are named; an address of a profile is no name. */
function authorOf(metas: MetaValues): string | undefined {
  const names = authors.map((name) =>
    metas.get(name)?.filter((author) => author !== '' && !/^(?:https?:\/\/|@)/i.test(author)),
  )
  const found = names.find((list) => list !== undefined && list.length > 0)
  return found && [...new Set(found)].slice(0, 20).join(', ')
}

const timeMarks = {
  published: /\b(?:datepublished|pubdate|published|entry-date|dt-published)\b/i,
  modified: /\b(?:datemodified|updated|modified|dt-updated)\b/i,
}

/** A time that the page marks as its own; or its only one, which is when it was written. */
function timeOf(survey: Survey, kind: 'published' | 'modified'): string | undefined {
  const times = survey.named('time').filter((time) => time.getAttribute('datetime'))
  const marked = times.find((time) => timeMarks[kind].test(marksOf(time)))
  const only =
    kind === 'published' && times.length === 1 && !timeMarks.modified.test(marksOf(times[0]!)) ? times[0] : undefined
  return clean((marked ?? only)?.getAttribute('datetime') ?? undefined)
}

const marksOf = (time: Element) =>
  `${time.getAttribute('itemprop') ?? ''} ${time.getAttribute('class') ?? ''} ${time.hasAttribute('pubdate') ? 'pubdate' : ''}`
