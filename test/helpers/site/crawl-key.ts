import type { SkipReason } from '../../../src/contracts/crawl-ports.ts'
import { titleOf } from './crawl-html.ts'
import { type CrawlHost, fillNames, findAnswer, hostOf, type Pages, type SiteAnswer } from './crawl-model.ts'
import { type CrawlWish, identityOf, isForbidden, listedUrls, reasonAgainst } from './crawl-rules.ts'

type ExpectedPage = {
  /** All URLs under which it was found, including redirect targets; a crawl returns one of them. */
  urls: readonly string[]
  /** Number of these URLs in links and sitemaps; a crawl reports all but one as duplicates. */
  named: number
  status: number
  depth: number
  /** Undefined if it is not HTML. */
  title: string | undefined
}
export type Expected = {
  /** All pages, regardless of the limit. */
  pages: readonly ExpectedPage[]
  /** Number of these pages that a crawl returns. */
  count: number
  /** Pages that cannot be fetched: redirect loops, no response. They may be among the errors. */
  failed: readonly string[]
  /** Reason for each found URL that is not among the pages. */
  skipped: ReadonlyMap<string, SkipReason>
  /** Links blocked only by robots.txt, directly or as a redirect target. */
  robotsBlocked: readonly string[]
  /** Returns the key shared by all URLs of one page. */
  identity(url: string): string
}

type Known = { urls: Set<string>; named: Set<string>; status: number; depth: number; title: string | undefined }
type Walk = {
  hosts: Record<CrawlHost, Pages>
  start: URL
  /** The start URL and its redirect target. */
  bases: URL[]
  wish: CrawlWish
  identity(url: string): string
  /**
   * Pages by identity. A page with two URLs has two entries; an entry is undefined if it turned out not to be a page.
   */
  known: Map<string, Known | undefined>
  waiting: { url: URL; depth: number }[]
  failed: string[]
  skipped: Map<string, SkipReason>
  robotsBlocked: Set<string>
}

/**
 * Returns the pages that a crawl must return, by a second, simple implementation of the contract: breadth-first, one
 * page at a time, deterministic. Links to external hosts are followed on those hosts too. A redirect to a URL that may
 * not be linked returns no page.
 */
export function expectedPages(hosts: Record<CrawlHost, Pages>, port: number, wish: CrawlWish): Expected {
  const start = new URL(`http://${wish.host ?? 'site.test'}:${port}${wish.path ?? '/'}`)
  const identity = (url: string) => identityOf(new URL(url), wish)
  const found = { known: new Map(), waiting: [], failed: [], skipped: new Map(), robotsBlocked: new Set<string>() }
  const walk: Walk = { hosts, start, bases: [start], wish, identity, ...found }
  offerStart(walk)
  for (const url of listedUrls(start, wish)) offer(walk, url, start, 0)
  for (let next = walk.waiting.shift(); next; next = walk.waiting.shift()) visit(walk, next.url, next.depth)

  const pages = [...new Set(walk.known.values())].flatMap((page) =>
    page ? [{ ...page, urls: [...page.urls], named: page.named.size }] : [],
  )
  const count = Math.min(pages.length, wish.limit ?? 10_000)
  return { pages, count, identity, failed: walk.failed, skipped: walk.skipped, robotsBlocked: [...walk.robotsBlocked] }
}

/** Applies the patterns and robots.txt to the start URL; the crawl starts at its redirect target. */
function offerStart(walk: Walk): void {
  const { start, bases, wish } = walk
  const reason = reasonAgainst(start, bases, wish)
  if (reason) skip(walk, start.href, reason)
  if (reason && reason !== 'notIncluded') return
  const landing = landingOf(walk.hosts, start)
  if (landing) bases.push(landing.url)
  // If the patterns exclude the start page, only its links are used.
  if (reason && landing) for (const href of linksOf(landing.answer, wish)) offer(walk, href, baseOf(landing), 1)
  if (reason) return
  const urls = new Set([start.href])
  walk.known.set(walk.identity(start.href), { urls, named: new Set(urls), status: 0, depth: 0, title: undefined })
  walk.waiting.push({ url: start, depth: 0 })
}

/** Classifies a found URL: a page to visit, a known page, or not part of the crawl. */
function offer(walk: Walk, href: string, base: URL, depth: number): void {
  const url = URL.parse(fillNames(href, base.origin), base)
  if (!url || !/^https?:$/.test(url.protocol)) return skip(walk, href, 'invalid')
  if (!/^#!?\//.test(url.hash)) url.hash = ''
  const reason = reasonAgainst(url, walk.bases, walk.wish)
  if (reason && reason !== 'robots') return skip(walk, url.href, reason)
  const key = walk.identity(url.href)
  const isKnown = walk.known.has(key)
  if (!isKnown && depth > (walk.wish.maxDiscoveryDepth ?? Infinity)) return skip(walk, url.href, 'depth')
  if (reason) return skip(walk, url.href, reason)
  if (isKnown) return name(walk.known.get(key), url.href)
  walk.known.set(key, { urls: new Set([url.href]), named: new Set([url.href]), status: 0, depth, title: undefined })
  walk.waiting.push({ url, depth })
}

function name(page: Known | undefined, url: string): void {
  page?.urls.add(url)
  page?.named.add(url)
}

function skip({ skipped, robotsBlocked }: Walk, url: string, reason: SkipReason): void {
  if (!skipped.has(url)) skipped.set(url, reason)
  if (reason === 'robots') robotsBlocked.add(url)
}

function visit(walk: Walk, url: URL, depth: number): void {
  const page = walk.known.get(walk.identity(url.href))
  const landing = landingOf(walk.hosts, url)
  if (!page) return
  const reason = landing ? reasonToDrop(walk, url, landing) : reasonNotToFetch(walk, url)
  if (!landing && !reason) walk.failed.push(url.href)
  if (reason) skip(walk, url.href, reason)
  if (!landing || reason) return void walk.known.set(walk.identity(url.href), undefined)
  if (mergeAt(walk, page, landing.url) !== page) return
  page.status = statusOf(landing.answer)
  page.title = titleAt(landing)
  for (const href of linksOf(landing.answer, walk.wish)) offer(walk, href, baseOf(landing), depth + 1)
}

/** A host whose robots.txt cannot be fetched forbids everything (RFC 9309). */
const reasonNotToFetch = ({ wish }: Walk, { protocol }: URL): SkipReason | undefined =>
  protocol === 'https:' && !wish.ignoreRobotsTxt ? 'robots' : undefined

function reasonToDrop(walk: Walk, url: URL, { url: landed, answer }: Landing): SkipReason | undefined {
  // It is not visited, so its type is unknown.
  if (isForbidden(landed, walk.wish)) return 'robots'
  if (answer?.kind === 'file' && answer.type !== 'application/pdf') return 'type'
  return url === walk.start || landed.href === url.href ? undefined : reasonAgainst(landed, walk.bases, walk.wish)
}

/** If two pages have the same URL, keeps the first and adds the URLs of the other to it. */
function mergeAt({ known, identity }: Walk, page: Known, url: URL): Known {
  const there = known.get(identity(url.href)) ?? page
  for (const each of page.named) there.named.add(each)
  for (const each of [...page.urls, url.href]) {
    there.urls.add(each)
    known.set(identity(each), there)
  }
  return there
}

type Landing = { url: URL; answer: SiteAnswer | undefined }
const maxHops = 10

/**
 * Returns the end of a visit; undefined for a redirect loop or an https URL, because the site does not support https.
 */
function landingOf(hosts: Record<CrawlHost, Pages>, from: URL): Landing | undefined {
  let url = from
  for (let hop = 0; hop < maxHops && url.protocol === 'http:'; hop++) {
    const answer = findAnswer(hosts[hostOf(url)], url)
    if (answer?.kind !== 'redirect') return { url, answer }
    url = new URL(fillNames(answer.to, url.origin), url)
  }
  return undefined
}

function statusOf(answer: SiteAnswer | undefined): number {
  if (answer?.kind === 'html') return answer.status
  return answer ? 200 : 404
}

const titleAt = ({ url, answer }: Landing) => (answer?.kind === 'file' ? undefined : titleOf(url))

function linksOf(answer: SiteAnswer | undefined, { sitemap, scripts }: CrawlWish): string[] {
  if (sitemap === 'only' || answer?.kind !== 'html' || (answer.shell && !scripts)) return []
  // In document order.
  return (['nav', 'main', 'footer'] as const).flatMap((place) =>
    answer.links.filter((link) => link.place === place).map(({ href }) => href),
  )
}

const baseOf = ({ url, answer }: Landing) =>
  answer?.kind === 'html' && answer.base !== undefined ? new URL(answer.base, url) : url
