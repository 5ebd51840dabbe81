import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { closeNow, listen } from './listen.ts'
import { makeHosts, robotsTxt, trapOf, type CrawlSiteOptions } from './site/crawl-hosts.ts'
import { renderPage } from './site/crawl-html.ts'
import { expectedPages, type Expected } from './site/crawl-key.ts'
import {
  fillNames,
  findAnswer,
  hostOf,
  type CrawlHost,
  type HtmlAnswer,
  type Pages,
  type SiteAnswer,
} from './site/crawl-model.ts'
import type { CrawlWish } from './site/crawl-rules.ts'
import { sitemapFile } from './site/crawl-sitemaps.ts'
import { trapPage } from './site/crawl-traps.ts'

type CrawlVisit = {
  /** Includes the host name of the request. */
  url: string
  userAgent: string
  /** Ms since the epoch. */
  at: number
}
type CrawlSite = {
  /** `http://127.0.0.1:PORT`, the same site as `site.test`. */
  readonly origin: string
  readonly port: number
  /** Returns the URL of a path under a host name of the site. */
  url(path: string, host?: string): string
  /** Returns all requested URLs in order, including robots.txt and sitemaps. */
  visits(): string[]
  readonly requests: readonly CrawlVisit[]
  /** Returns the expected result of a crawl; see crawl-key.ts. */
  expected(wish?: CrawlWish): Expected
  close(): Promise<void>
}

/**
 * Starts a web site of about 500 pages for crawlers on a free port of 127.0.0.1, and computes the expected results of a
 * crawl. Hosts are distinguished by name (`site.test`, `www.site.test`, `docs.site.test`, `other.test`), so a lookup
 * must resolve these names to 127.0.0.1. Any other name, including 127.0.0.1 and localhost, is the main host.
 */
export async function startCrawlSite(options: CrawlSiteOptions = {}): Promise<CrawlSite> {
  const hosts = makeHosts(options)
  const requests: CrawlVisit[] = []
  const busy = new Set<string>()

  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    requests.push({ url: url.href, userAgent: request.headers['user-agent'] ?? '', at: Date.now() })
    const sent = send({ hosts, busy, url, response, retryAfterS: options.retryAfterS ?? 1 })
    sent.catch(() => response.destroy())
  })
  // On a loaded machine, the server could close a connection just when a client reuses it; clients close sooner.
  server.keepAliveTimeout = 60_000
  const { origin, port } = await listen(server)
  return {
    origin,
    port,
    url: (path, host = '127.0.0.1') => `http://${host}:${port}${path}`,
    visits: () => requests.map(({ url }) => url),
    requests,
    expected: (wish = {}) => expectedPages(hosts, port, wish),
    close: () => closeNow(server),
  }
}

type Sending = {
  hosts: Record<CrawlHost, Pages>
  /** URLs that have already responded once that they are busy. */
  busy: Set<string>
  url: URL
  response: http.ServerResponse
  retryAfterS: number
}

async function send({ hosts, busy, url, response, retryAfterS }: Sending): Promise<void> {
  const host = hostOf(url)
  const text = plainFile(host, url)
  if (text) return void response.writeHead(200, { 'content-type': text.type }).end(text.bytes)
  const answer = (host === 'site.test' && trapAnswer(url)) || findAnswer(hosts[host], url) || missing
  if (answer.kind === 'html' && answer.busyFirst !== undefined && !busy.has(url.href)) {
    busy.add(url.href)
    return void response.writeHead(answer.busyFirst, { 'retry-after': String(retryAfterS) }).end('Come again.')
  }
  if (answer.kind === 'html' && answer.waitMs !== undefined) await pause(answer.waitMs)
  sendAnswer(answer, url, response)
}

const missing: HtmlAnswer = { kind: 'html', status: 404, links: [{ href: '/', place: 'nav' }] }

const trapAnswer = (url: URL) => (trapOf(url.pathname) ? trapPage(url) : undefined)

function plainFile(host: CrawlHost, url: URL): { type: string; bytes: Uint8Array } | undefined {
  if (url.pathname === '/robots.txt')
    return { type: 'text/plain', bytes: Buffer.from(fillNames(robotsTxt(host), url.origin)) }
  const bytes = host === 'site.test' ? sitemapFile(url.pathname, url.origin) : undefined
  return bytes && { type: url.pathname.endsWith('.gz') ? 'application/gzip' : 'application/xml', bytes }
}

function sendAnswer(answer: SiteAnswer, url: URL, response: http.ServerResponse): void {
  if (answer.kind === 'redirect') {
    response.writeHead(answer.status, { location: fillNames(answer.to, url.origin) }).end()
  } else if (answer.kind === 'file') {
    response.writeHead(200, { 'content-type': answer.type, 'content-length': answer.bytes.length }).end(answer.bytes)
  } else {
    const { type, bytes } = renderPage(answer, url)
    response.writeHead(answer.status, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
  }
}
