import { setTimeout as pause } from 'node:timers/promises'
import { afterAll } from 'vitest'
import {
  useTestNames,
  sendPage,
  smallSite,
  startCrawling,
  type Answer,
  type JobResults,
  type Crawling,
  type SmallSite,
} from './kit.ts'

/** Crawlers and sites for the tests of one file, which end with it. */
export function openWorld() {
  const open: { close(): Promise<void> }[] = []
  useTestNames()
  afterAll(async () => {
    for (const each of open) await each.close()
  })
  return {
    crawler(env: Readonly<Record<string, string>> = {}): Crawling {
      const crawling = startCrawling(env)
      open.unshift(crawling)
      return crawling
    },
    async siteOf(answers: Readonly<Record<string, readonly string[] | Answer>>): Promise<SmallSite> {
      const site = await smallSite(answers)
      open.push(site)
      return site
    },
  }
}

export const range = (length: number) => Array.from({ length }, (_, at) => at)
export const codes = ({ errors }: JobResults) => errors.map(({ url, code }) => [new URL(url).pathname, code])

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end('no page')

/** A robots.txt, or another text. */
export const text =
  (content: string): Answer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end(content)

export const page =
  (...links: string[]): Answer =>
  ({ pathname }, response) =>
    sendPage(response, pathname, links)

/** A slow page, and the maximum number of concurrent requests. */
export function slowly(ms: number, ...links: string[]) {
  const seen = { now: 0, most: 0 }
  const answer: Answer = async ({ pathname }, response) => {
    seen.now += 1
    seen.most = Math.max(seen.most, seen.now)
    await pause(ms)
    seen.now -= 1
    sendPage(response, pathname, links)
  }
  return { seen, answer }
}
