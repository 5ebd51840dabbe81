import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { createWatchView } from '../../src/cli/commands/crawl-command.ts'
import type { Document } from '../../src/schema/scrape/document.ts'
import { plain } from '../../src/cli/terminal-io.ts'
import { folderForEach, siteForAll } from '../helpers/for-all.ts'
import { type Program, runProgram, startProgram, startServer } from '../helpers/program.ts'
import { hasTerminal, runOnTerminal } from '../helpers/pseudo-terminal.ts'
import { answer, html, numberIn, type Route } from '../helpers/site/route.ts'
import { runCrawl, toyCrawl } from './export/toy-crawl.ts'

const document = (url: string, statusCode: number, markdown?: string) =>
  ({ markdown, metadata: { url, statusCode, cacheState: 'miss' } }) as unknown as Document

describe('states of a watched job', () => {
  test('are one line per page: time, status, words and URL, which pages cannot control', () => {
    const lines: string[] = []
    const view = createWatchView(
      (line) => void lines.push(line),
      plain,
      () => new Date(2026, 0, 1, 7, 8, 9).getTime(),
    )
    view.page(document('http://a.test/\u001b[2J', 200, 'Three small words.'), 'now')
    view.page(document('http://a.test/b', 404), 'earlier')
    view.failed([{ url: 'http://a.test/c', code: 'SCRAPE_TIMEOUT', error: 'late' }])
    view.failed([{ url: 'http://a.test/c', code: 'SCRAPE_TIMEOUT', error: 'late' }])
    expect(lines).toEqual([
      '07:08:09  200           3 words  http://a.test/\uFFFD[2J\n',
      'earlier   404                    http://a.test/b\n',
      '07:08:09  failed  SCRAPE_TIMEOUT  http://a.test/c\n',
    ])
  })

  test.each([[{ limit: '3' }], [{ out: '/nowhere' }], [{ formats: 'links' }]])(
    'refuses other options for a running crawl: %o',
    async (flags) => {
      const id = '01890000-0000-7000-8000-000000000001'
      await expect(runCrawl(toyCrawl(1), [id], { flags: { watch: true, ...flags } })).rejects.toThrow('takes no others')
    },
  )
})

const count = 30
const visits: string[] = []
const page: Route = async (exchange) => {
  const number = numberIn(exchange.url)
  visits.push(exchange.url.pathname)
  const links = [1, 2].map((step) => (number + step) % count).map((next) => `<a href="/p/${next}">${next}</a>`)
  await wait(100)
  return html(`<title>Page ${number}</title><main><h1>Page ${number}</h1><p>${links.join(' ')}</p></main>`)(exchange)
}

const options = '{"crawlEntireDomain":true,"sitemap":"skip","maxConcurrency":3}'
const all = Array.from({ length: count }, (_, number) => `/p/${number}`).toSorted()
const idOf = async (program: Program) => (await program.waitForStderr(/gossamer crawl ([\da-f-]{36}) --watch/))[1] ?? ''
const watchedIn = (stderr: string) => [...stderr.matchAll(/ words {2}http:\S+?(\/p\/\d+)$/gm)].map(([, path]) => path)
const pagesIn = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => new URL((JSON.parse(line) as { metadata: { url: string } }).metadata.url).pathname)

describe('a crawl', () => {
  const site = siteForAll({ routes: { '/p/*': page, '/robots.txt': answer(404, {}) } })

  const dir = folderForEach()
  let env: Record<string, string>
  beforeEach(() => {
    visits.length = 0
    env = { GOSSAMER_DATA_DIR: dir.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` }
  })
  const begin = () => startProgram(['crawl', site.url('/p/0'), options, '--watch'], env)

  test('that is stopped prints that it paused, and is resumed by its id: each page once', async () => {
    const first = begin()
    const id = await idOf(first)
    await first.waitForStderr(/ words {2}http.*\n.* words {2}http.*\n.* words {2}http/)
    first.kill('SIGINT')
    expect((await first.exited).code).toBe(130)
    expect(first.stderr()).toContain('Stopped; the crawl is paused.')
    expect(first.stderr()).toContain(`gossamer crawl ${id} --watch\n`)
    const { code, stdout, stderr } = await runProgram(['crawl', id, '--watch'], env)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(watchedIn(stderr).toSorted()).toEqual(all)
    expect(pagesIn(stdout).toSorted()).toEqual(all)
    expect(stderr.match(/^earlier .* words /gm)?.length).toBeGreaterThanOrEqual(3)
    expect(stderr).toMatch(new RegExp(`${count} pages, 0 failed, ${count} credits`))
    expect([...new Set(visits)].toSorted()).toEqual(all)
  })

  test('that another process works on continues, and shows the pages that arrived meanwhile', async () => {
    const server = await startServer(env)
    try {
      const first = begin()
      const id = await idOf(first)
      await first.waitForStderr(/ words {2}http/)
      // A request for its status makes the server work on the crawl too.
      const status = async () => (await fetch(`${server.url}/v2/crawl/${id}`)).json() as Promise<{ status: string }>
      for (const before = visits.length; visits.length < before + 6; await wait(20)) await status()
      first.kill('SIGINT')
      await first.exited
      expect(first.stderr()).toContain('another process continues the crawl.')
      while ((await status()).status === 'scraping') await wait(50)
      const { stderr, stdout } = await runProgram(['crawl', id, '--watch'], env)
      expect(pagesIn(stdout).toSorted()).toEqual(all)
      expect(stderr.match(/^earlier /gm)).toHaveLength(count)
      expect(stderr).toContain(`${count} credits`)
    } finally {
      await server.stop()
    }
  })

  test.runIf(hasTerminal)('is shown on a terminal as lines with the progress below', async () => {
    const { code, text } = await runOnTerminal(['crawl', site.url('/p/0'), options, '--limit', '12', '--watch'], env)
    expect({ code, text }).toMatchObject({ code: 0 })
    expect(text.match(/ words {2}http:/g)).toHaveLength(12)
    expect(text).toMatch(/\d+\/\d+ pages {2}\d+ waiting/)
    expect(text).not.toContain('# Page')
  })
})
