import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
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

export type CrawlVisit = {
  /** With the name it was asked for by. */
  url: string
  userAgent: string
  /** Ms since the epoch. */
  at: number
}
export type CrawlSite = {
  /** `http://127.0.0.1:PORT`, which is `site.test`. */
  readonly origin: string
  readonly port: number
  /** Address of a path under a name of the site. */
  url(path: string, host?: string): string
  /** All addresses that were asked for, in order, robots.txt and sitemaps among them. */
  visits(): string[]
  readonly requests: readonly CrawlVisit[]
  /** What a crawl must bring; see crawl-key.ts. */
  expected(wish?: CrawlWish): Expected
  close(): Promise<void>
}

/**
 * A web site of about 500 pages on a free port of 127.0.0.1, for crawlers, with the answers they should come to. It tells its
 * hosts apart by name (`site.test`, `www.site.test`, `docs.site.test`, `other.test`), so names have to be led here by a lookup;
 * any other name, 127.0.0.1 and localhost among them, is the main one.
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
  // On a loaded machine a connection may be closed here in the moment in which a client uses it again; clients close sooner.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    url: (path, host = '127.0.0.1') => `http://${host}:${port}${path}`,
    visits: () => requests.map(({ url }) => url),
    requests,
    expected: (wish = {}) => expectedPages(hosts, port, wish),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Sending = {
  hosts: Record<CrawlHost, Pages>
  /** Pages that have said once that they are busy. */
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
