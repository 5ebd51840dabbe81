import type { ElementIndex } from '../dom/element-index.ts'

/** What a page says about itself: hints for the cleaner, never proof. `isDeclared` is false where only signs of an article were found. */
export type PageKind = { forum: boolean; article: boolean; articleData: boolean; product: boolean; isDeclared: boolean }

const forumHost = /^https?:\/\/[^/]*(?:forum|discuss|community|bbs|stackexchange|stackoverflow|reddit)/i
const forumPath = /\/(?:forums?|threads?|t|discussions?|questions?|comments)\/|viewtopic|showthread|\/topic\/\d/i
const forumSoftware = /discourse|xenforo|phpbb|vbulletin|invision|flarum|nodebb/i
const articleType = /"@type"\s*:\s*(?:\[\s*)?"(?:(?:News|Tech|Scholarly|Medical)?Article|BlogPosting|Report)"/
const productType = /"@type"\s*:\s*(?:\[\s*)?"Product(?:Group)?"/
const forumType = /"@type"\s*:\s*(?:\[\s*)?"(?:DiscussionForumPosting|QAPage|Question)"/

/** Reads the address, the meta tags and the structured data (JSON-LD) of a page. */
export function kindOf(elements: ElementIndex, url: string): PageKind {
  const data = structuredData(elements)
  const openGraphType = metaContent(elements, 'property', 'og:type')
  const articleData = articleType.test(data)
  return {
    forum:
      (forumType.test(data) && !data.includes('FAQPage')) ||
      forumHost.test(url) ||
      forumPath.test(url) ||
      forumSoftware.test(metaContent(elements, 'name', 'generator')),
    articleData,
    article: articleData || /^article$/i.test(openGraphType),
    isDeclared: true,
    // Businesses call themselves products to show stars in search results; a product is for sale.
    product: (productType.test(data) && data.includes('"offers"')) || openGraphType.includes('product'),
  }
}

function structuredData(elements: ElementIndex): string {
  return elements
    .named('script')
    .filter((script) => script.getAttribute('type') === 'application/ld+json')
    .map((script) => script.textContent)
    .join(' ')
}

function metaContent(elements: ElementIndex, attribute: 'name' | 'property', value: string): string {
  const meta = elements.named('meta').find((candidate) => candidate.getAttribute(attribute) === value)
  return meta?.getAttribute('content') ?? ''
}
