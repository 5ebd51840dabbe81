import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { runProgram, startProgram, type Program } from '../../helpers/program.ts'
import { folderForEach, siteForAll } from '../../helpers/for-all.ts'
import { answer, html, numberIn, type Route } from '../../helpers/site/route.ts'
import { ofType, warcAt } from './warc-file.ts'

const count = 40
const pathOf = (page: number) => `/export/pages/${page}`

/** Each page names the next two and takes a moment, so that it takes many moments to reach them all. */
const page: Route = async (exchange) => {
  const number = numberIn(exchange.url)
  const links = [1, 2].map((step) => (number + step) % count).map((next) => `<a href="${pathOf(next)}">${next}</a>`)
  await wait(100)
  return html(`<title>Page ${number}</title><main><h1>Page ${number}</h1><p>${links.join(' ')}</p></main>`)(exchange)
}

const site = siteForAll({ routes: { '/export/pages/*': page, '/robots.txt': answer(404, {}) } })

const dir = folderForEach()
let out: string
let env: Record<string, string>
beforeEach(() => {
  out = join(dir.path, 'site')
  env = { GOSSAMER_DATA_DIR: join(dir.path, 'data'), GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` }
})

const lines = () => {
  const file = join(out, 'pages.jsonl')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
}
const urls = () => lines().map((line) => (JSON.parse(line) as { metadata: { url: string } }).metadata.url)
const options = '{"crawlEntireDomain":true,"sitemap":"skip"}'
const allUrls = Array.from({ length: count }, (_, number) => number)

async function written(program: Program, atLeast: number): Promise<void> {
  let hasEnded = false
  void program.exited.then(() => (hasEnded = true))
  while (lines().length < atLeast) {
    if (hasEnded) throw new Error(`the program ended too early: ${program.stderr()}`)
    await wait(20)
  }
}

/** Returns the records of the archive, without robots.txt and sitemaps. */
async function archived(path: string): Promise<string[]> {
  const responses = ofType(await warcAt(path).read(), 'response')
  return responses.flatMap(({ target }) => (target?.includes('/export/pages/') ? [target] : []))
}

test('an interrupted, then killed crawl continues and loses no page', async () => {
  const warc = join(dir.path, 'site.warc.gz')
  const expected = allUrls.map((number) => site.url(pathOf(number))).toSorted()

  const first = startProgram(['crawl', site.url(pathOf(0)), options, '--out', out, '--warc', warc], env)
  await written(first, 3)
  first.kill('SIGINT')
  expect(await first.exited).toEqual({ code: 130, signal: null })
  expect(first.stderr()).toContain(`gossamer crawl --resume --out ${out}`)
  const before = lines().length
  expect(before).toBeGreaterThanOrEqual(3)

  const second = startProgram(['crawl', '--resume', '--out', out], env)
  await written(second, Math.min(before + 3, count))
  second.kill('SIGKILL')
  await second.exited

  const { code, stdout, stderr } = await runProgram(['crawl', '--resume', '--out', out], env)
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(`${count} pages`) })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', completed: count, out, warc, unarchived: 0 })
  expect(urls().toSorted()).toEqual(expected)
  const files = readdirSync(join(out, `127.0.0.1_${site.port}`, 'export', 'pages'))
  expect(files.toSorted()).toEqual(allUrls.map((number) => `${number}.md`).toSorted())
  expect([...new Set(await archived(warc))].toSorted()).toEqual(expected)
})

test('pages are printed as they arrive', async () => {
  const { code, stdout, stderr } = await runProgram(['crawl', site.url(pathOf(0)), options, '--limit', '3'], env)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const titles = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { metadata: { title: string } }).metadata.title)
  expect(titles.length).toBe(3)
  for (const title of titles) expect(title).toMatch(/^Page \d+$/)
})
