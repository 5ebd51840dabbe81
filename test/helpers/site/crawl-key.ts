import type { SkipReason } from '../../../src/contracts/crawl-ports.ts'
import { titleOf } from './crawl-html.ts'
import { type CrawlHost, fillNames, findAnswer, hostOf, type Pages, type SiteAnswer } from './crawl-model.ts'
import { type CrawlWish, identityOf, isForbidden, listedUrls, reasonAgainst } from './crawl-rules.ts'

export type ExpectedPage = {
  /** All addresses under which it was found, where redirects led included; a crawl brings one of them. */
  urls: readonly string[]
  /** How many of them links and sitemaps named; a crawl calls all but one of these duplicates. */
  named: number
  status: number
  depth: number
  /** Undefined where it is no HTML. */
  title: string | undefined
}
export type Expected = {
  /** As if there were no limit. */
  pages: readonly ExpectedPage[]
  /** How many of them a crawl brings. */
  count: number
  /** Pages that cannot be had: a loop of redirects, no answer. They may stand among the errors. */
  failed: readonly string[]
  /** Why an address that was found is not among the pages. */
  skipped: ReadonlyMap<string, SkipReason>
  /** Links that robots.txt forbids, or leads to what it forbids, and nothing else does. */
  robotsBlocked: readonly string[]
  /** What two addresses of one page have in common. */
  identity(url: string): string
}

type Known = { urls: Set<string>; named: Set<string>; status: number; depth: number; title: string | undefined }
type Walk = {
  hosts: Record<CrawlHost, Pages>
  start: URL
  /** The start, and where it leads. */
  bases: URL[]
  wish: CrawlWish
  identity(url: string): string
  /** By identity; a page that two addresses share stands here twice, and one that turned out to be none as undefined. */
  known: Map<string, Known | undefined>
  waiting: { url: URL; depth: number }[]
  failed: string[]
  skipped: Map<string, SkipReason>
  robotsBlocked: Set<string>
}

/**
 * The pages a crawl must bring, from the rules of the contract said again as simply as they can be: all of a depth before the next,
 * one page at a time, nothing left to chance. Links to external hosts are followed on those hosts as well. A redirect that
 * leads where no link may lead brings no page.
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

/** Its patterns and robots.txt count; where it leads, the crawl begins. */
function offerStart(walk: Walk): void {
  const { start, bases, wish } = walk
  const reason = reasonAgainst(start, bases, wish)
  if (reason) skip(walk, start.href, reason)
  if (reason && reason !== 'notIncluded') return
  const landing = landingOf(walk.hosts, start)
  if (landing) bases.push(landing.url)
  // A start that the patterns leave out is read for its links alone.
  if (reason && landing) for (const href of linksOf(landing.answer, wish)) offer(walk, href, baseOf(landing), 1)
  if (reason) return
  const urls = new Set([start.href])
  walk.known.set(walk.identity(start.href), { urls, named: new Set(urls), status: 0, depth: 0, title: undefined })
  walk.waiting.push({ url: start, depth: 0 })
}

/** An address was found: it is a page to visit, one that is known, or none of the crawl. */
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
  const reason = landing ? reasonToDrop(walk, url, landing) : reasonNotToAsk(walk, url)
  if (!landing && !reason) walk.failed.push(url.href)
  if (reason) skip(walk, url.href, reason)
  if (!landing || reason) return void walk.known.set(walk.identity(url.href), undefined)
  if (standAt(walk, page, landing.url) !== page) return
  page.status = statusOf(landing.answer)
  page.title = titleAt(landing)
  for (const href of linksOf(landing.answer, walk.wish)) offer(walk, href, baseOf(landing), depth + 1)
}

/** A host that cannot say what it forbids forbids all (RFC 9309). */
const reasonNotToAsk = ({ wish }: Walk, { protocol }: URL): SkipReason | undefined =>
  protocol === 'https:' && !wish.ignoreRobotsTxt ? 'robots' : undefined

function reasonToDrop(walk: Walk, url: URL, { url: landed, answer }: Landing): SkipReason | undefined {
  // Nobody goes there, so that nobody knows what it is.
  if (isForbidden(landed, walk.wish)) return 'robots'
  if (answer?.kind === 'file' && answer.type !== 'application/pdf') return 'type'
  return url === walk.start || landed.href === url.href ? undefined : reasonAgainst(landed, walk.bases, walk.wish)
}

/** Of two that stand at one address the first stays, and takes the addresses of the other. */
function standAt({ known, identity }: Walk, page: Known, url: URL): Known {
  const there = known.get(identity(url.href)) ?? page
  for (const each of page.named) there.named.add(each)
  for (const each of [...page.urls, url.href]) {
    there.urls.add(each)
    known.set(identity(each), there)
  }
  return there
}

type Landing = { url: URL; answer: SiteAnswer | undefined }
const mostHops = 10

/** Where a visit ends; undefined when it never does, or cannot begin because nobody speaks https there. */
function landingOf(hosts: Record<CrawlHost, Pages>, from: URL): Landing | undefined {
  let url = from
  for (let hop = 0; hop < mostHops && url.protocol === 'http:'; hop++) {
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
  // In the order in which they stand in the page.
  return (['nav', 'main', 'footer'] as const).flatMap((place) =>
    answer.links.filter((link) => link.place === place).map(({ href }) => href),
  )
}

const baseOf = ({ url, answer }: Landing) =>
  answer?.kind === 'html' && answer.base !== undefined ? new URL(answer.base, url) : url
