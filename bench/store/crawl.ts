import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedPage } from '../../src/contracts/crawl-ports.ts'
import type { Store } from '../../src/engine/store/store.ts'
import { pageOf, pathOf } from '../crawl/pages.ts'

const origin = 'http://127.0.0.1:8080'
const dayMs = 86_400_000

export type Load = {
  pages: number
  /** Pages visited at once. */
  concurrency: number
  /** Interval between pages, ms, as if each were read meanwhile. */
  everyMs: number
}

/** A page as the crawler has it after reading. */
export type ReadPage = { html: Buffer; markdown: string; links: readonly string[] }

/** The same pages in every run; their markdown is the text of the HTML, about as long as what is read from it. */
export const makePages = (count: number): ReadPage[] =>
  Array.from({ length: count }, (_, at) => {
    const { html, links } = pageOf(at, count)
    const markdown = html.replaceAll(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<(?!a\b|\/a\b)[^>]+>/g, '')
    return { html: Buffer.from(html), markdown, links: [...(links ?? [])].map((path) => `${origin}${path}`) }
  })

/** Writes everything that a crawl of these pages writes, in the same order, without fetching and reading. */
export async function crawl(store: Store, pages: readonly ReadPage[], { concurrency, everyMs }: Load): Promise<void> {
  const crawlId = randomUUID()
  const now = Date.now()
  const found = pages.map((_, at) => ({
    url: `${origin}${pathOf(at)}`,
    key: `${at}`,
    host: '127.0.0.1:8080',
    depth: 1,
    source: 'link' as const,
  }))
  await store.crawls.start(
    {
      id: crawlId,
      teamId: 'default',
      keyName: null,
      kind: 'crawl',
      target: `${origin}/`,
      createdAt: now,
      expiresAt: now + dayMs,
      request: {},
      pageLimit: pages.length,
      maxConcurrency: concurrency,
      delayMs: 0,
      isSeeded: true,
      warnings: [],
    },
    found,
  )
  const wish = {
    crawlId,
    workerId: 'one',
    leaseMs: 60_000,
    hostConcurrency: concurrency,
    order: 'as found' as const,
  }
  const visited: ClaimedPage[] = []
  const written: Promise<void>[] = []
  for (const page of pages) {
    if (visited.length <= concurrency / 2)
      visited.push(...(await store.crawls.claim({ ...wish, count: concurrency - visited.length })))
    const claimed = visited.shift()
    if (!claimed) throw new Error('Fewer pages were claimed than there are')
    await sleep(everyMs)
    written.push(visit(store, claimed, page))
  }
  await Promise.all(written)
}

async function visit(store: Store, claimed: ClaimedPage, page: ReadPage): Promise<void> {
  const { url, teamId } = claimed
  const { html, markdown } = page
  // Cache and result share one list, as in the crawler.
  const links = [...page.links]
  const fetchedAt = Date.now()
  const metadata = { title: url, sourceURL: url, url, statusCode: 200, contentType: 'text/html' }
  const facts = { fetchedAt, url, status: 200, headers: { 'content-type': 'text/html' } }
  void store.pages.keep(url, { ...facts, made: { whole: { markdown, links, metadata } } }, html)
  const text = { title: url, description: '', text: markdown, contentType: 'text/html' }
  void store.index.put({ cacheKey: url, teamId, url, fetchedAt, ...text })
  const document = { markdown, links, metadata: { ...metadata, scrapeId: claimed.id } }
  await store.crawls.finish(claimed, 'one', { kind: 'document', document, credits: 1 })
}
