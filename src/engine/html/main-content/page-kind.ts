import { metaName } from '../dom/dom-tree.ts'
import { type ElementIndex, metaContents } from '../dom/element-index.ts'
import { jsonLdTexts } from '../facts/json-ld.ts'

/**
 * Page type from metadata, which is a hint and no proof. `isDeclared` is false if only dates and the URL suggest an
 * article.
 */
export type PageKind = { forum: boolean; article: boolean; articleData: boolean; product: boolean; isDeclared: boolean }

const forumHost = /^https?:\/\/[^/]*(?:forum|discuss|community|bbs|stackexchange|stackoverflow|reddit)/i
const forumPath = /\/(?:forums?|threads?|t|discussions?|questions?|comments)\/|viewtopic|showthread|\/topic\/\d/i
const forumSoftware = /discourse|xenforo|phpbb|vbulletin|invision|flarum|nodebb/i
const articleType = /"@type"\s*:\s*(?:\[\s*)?"(?:(?:News|Tech|Scholarly|Medical)?Article|BlogPosting|Report)"/
const productType = /"@type"\s*:\s*(?:\[\s*)?"Product(?:Group)?"/
const forumType = /"@type"\s*:\s*(?:\[\s*)?"(?:DiscussionForumPosting|QAPage|Question)"/

/** Returns the page type from the URL, the meta tags and the structured data (JSON-LD). */
export function kindOf(elements: ElementIndex, url: string): PageKind {
  const declared = declaredKind(elements, url)
  if (declared.article || declared.forum || declared.product || !isDated(elements, url)) return declared
  return { ...declared, article: true, isDeclared: false }
}

function declaredKind(elements: ElementIndex, url: string): PageKind {
  const data = jsonLdTexts(elements).join(' ')
  const [openGraphType = ''] = metaContents(elements, /^og:type$/)
  const [generator = ''] = metaContents(elements, /^generator$/)
  const articleData = articleType.test(data)
  return {
    forum:
      (forumType.test(data) && !data.includes('FAQPage')) ||
      forumHost.test(url) ||
      forumPath.test(url) ||
      forumSoftware.test(generator),
    articleData,
    article: articleData || /^article$/i.test(openGraphType),
    isDeclared: true,
    // Businesses declare themselves products to show stars in search results; a real product has an offer.
    product: (productType.test(data) && data.includes('"offers"')) || openGraphType.includes('product'),
  }
}

const datedPath = /\/(?:19|20)\d\d(?:[/-]?\d\d?\b|\/)/
const dateMeta = /published_time|datepublished|^date$|pubdate|dc\.date|sailthru\.date|parsely-pub|publish-?date/i
/** Minimum number of words in the last part of a path that is derived from a title. */
const minSlugWords = 4
/** Maximum number of dates on a page with a single text. */
const maxTimes = 3

/** True for a page that is dated like news and blogs. */
function isDated(elements: ElementIndex, url: string): boolean {
  const path = url.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  return datedPath.test(path) || hasDateMeta(elements) || (isSlug(path) && hasFewTimes(elements))
}

function hasDateMeta(elements: ElementIndex): boolean {
  return elements.named('meta').some((meta) => dateMeta.test(metaName(meta) || (meta.getAttribute('itemprop') ?? '')))
}

function hasFewTimes(elements: ElementIndex): boolean {
  const { length } = elements.named('time')
  return length > 0 && length <= maxTimes
}

function isSlug(path: string): boolean {
  const last = path.split('/').filter(Boolean).at(-1) ?? ''
  return last.split(/[-_]/).filter((word) => /[a-z]{2}/i.test(word)).length >= minSlugWords
}
