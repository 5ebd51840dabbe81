import type { ElementIndex } from '../dom/element-index.ts'
import type { PageKind } from './page-kind.ts'

const datedPath = /\/(?:19|20)\d\d(?:[/-]?\d\d?\b|\/)/
const dateMeta = /published_time|datepublished|^date$|pubdate|dc\.date|sailthru\.date|parsely-pub|publish-?date/i
/** Words in the last part of an address that is made from a title, and how many dates stand on the page of one text. */
const minSlugWords = 4
const maxTimes = 3

/** A page that does not call itself an article is one all the same when it is dated as news and blogs are. */
export function withUndeclaredArticle(
  kind: PageKind,
  { elements, url }: { elements: ElementIndex; url: string },
): PageKind {
  if (kind.article || kind.forum || kind.product) return kind
  const path = url.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  const article = datedPath.test(path) || hasDateMeta(elements) || (isSlug(path) && hasFewTimes(elements))
  return article ? { ...kind, article, isDeclared: false } : kind
}

function hasDateMeta(elements: ElementIndex): boolean {
  return elements
    .named('meta')
    .some((meta) =>
      dateMeta.test(meta.getAttribute('property') ?? meta.getAttribute('name') ?? meta.getAttribute('itemprop') ?? ''),
    )
}

function hasFewTimes(elements: ElementIndex): boolean {
  const { length } = elements.named('time')
  return length > 0 && length <= maxTimes
}

function isSlug(path: string): boolean {
  const last = path.split('/').filter(Boolean).at(-1) ?? ''
  return last.split(/[-_]/).filter((word) => /[a-z]{2}/i.test(word)).length >= minSlugWords
}
