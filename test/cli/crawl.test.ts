import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { folderForEach } from '../helpers/for-all.ts'
import { allPages, id, linesIn, noteIn, runCrawl, start, toyCrawl, urlsIn } from './export/toy-crawl.ts'

const dir = folderForEach()
let out: string
beforeEach(() => void (out = join(dir.path, 'site')))

describe('gossamer crawl URL --out DIR', () => {
  test('writes one file and one line per page, and prints a summary', async () => {
    const toy = toyCrawl(3)
    const { code, stdout, stderr } = await runCrawl(toy, [start, '{"maxDiscoveryDepth":2}'], {
      flags: { out, limit: '50' },
    })
    expect(code).toBe(0)
    expect(toy.calls[0]).toEqual({ name: 'crawl', input: { url: start, maxDiscoveryDepth: 2, limit: 50 } })
    expect(urlsIn(out)).toEqual(allPages(3))
    expect(linesIn(out).map(({ file }) => file)).toEqual(['a.test/index.md', 'a.test/page-1.md', 'a.test/page-2.md'])
    for (const { file, markdown } of linesIn(out))
      expect(readFileSync(join(out, file), 'utf8')).toContain(`\n${markdown}\n`)
    expect(noteIn(out)).toEqual({ id, url: start, status: 'completed', written: 3 })
    expect(stderr).toContain('3 pages, 1 failed, 3 credits')
    expect(stderr).toContain('Skipped: 7 of pages already read, 3 out of scope, 1 forbidden by robots.txt')
    expect(stderr).toContain('Failed: http://a.test/broken (SCRAPE_TIMEOUT)')
    expect(JSON.parse(stdout)).toMatchObject({ id, status: 'completed', completed: 3, failed: 1, out })
  })

  test('fails if the crawl fails', async () => {
    const toy = toyCrawl(3)
    toy.toy.onPoll = (poll) => void (poll === 2 && (toy.toy.status = 'failed'))
    const { code, stderr } = await runCrawl(toy, [start], { flags: { out } })
    expect(code).toBe(1)
    expect(stderr).toContain('Failed: http://a.test/')
  })

  test('reports why a crawl cannot start, and leaves the folder free for another', async () => {
    const { code, stderr } = await runCrawl(toyCrawl(1), [start], { flags: { out, limit: '13' } })
    expect(code).toBe(1)
    expect(stderr).toContain('BAD_REQUEST')
    expect(stderr).not.toContain('--resume')
    expect((await runCrawl(toyCrawl(1), [start], { flags: { out } })).code).toBe(0)
  })

  test('does not write into the folder of another crawl', async () => {
    await runCrawl(toyCrawl(2), [start], { flags: { out } })
    await expect(runCrawl(toyCrawl(2), [start], { flags: { out } })).rejects.toThrow('already contains a crawl')
    rmSync(join(out, 'crawl.json'))
    await expect(runCrawl(toyCrawl(2), [start], { flags: { out } })).rejects.toThrow('already contains a crawl')
    expect(linesIn(out).length).toBe(2)
  })
})

test.each([
  ['no address', [], {}, 'usage'],
  ['too much', [start, '{}', 'x'], {}, 'usage'],
  ['options that are no object', [start, '[1]'], {}, 'Expected a JSON object'],
  ['options that are no JSON', [start, '{'], {}, 'Expected a JSON object'],
  ['a limit of nothing', [start], { limit: '0' }, '--limit takes a whole number'],
  ['a limit that is no number', [start], { limit: 'ten' }, '--limit takes a whole number'],
])('is refused with %s', async (_, words, flags, message) => {
  await expect(runCrawl(toyCrawl(1), words, { flags })).rejects.toThrow(message)
})

test('without a folder, text for a person cannot control the terminal', async () => {
  const toy = toyCrawl(1)
  const { stdout, stderr } = await runCrawl(toy, [start], { isInteractive: true })
  expect(stdout).toBe('Page 0\nhttp://a.test/\n\n# Page 0\n\n')
  expect(stderr).not.toContain('\u001b')
})

test('a read-only folder is reported before a crawl starts', async () => {
  const toy = toyCrawl(1)
  writeFileSync(join(dir.path, 'file'), '')
  const place = join(dir.path, 'file', 'x')
  await expect(runCrawl(toy, [start], { flags: { out: place } })).rejects.toThrow(`--out: the folder ${place} cannot`)
  await expect(runCrawl(toy, [start], { flags: { warc: join(place, 'a.warc.gz') } })).rejects.toThrow('--warc: ')
  expect(toy.calls).toEqual([])
})

test('a page that cannot be written ends the command, which prints how to continue', async () => {
  const toy = toyCrawl(2)
  mkdirSync(join(out, 'a.test', 'index.md', 'x'), { recursive: true })
  const { code, stderr } = await runCrawl(toy, [start], { flags: { out } })
  expect(code).toBe(1)
  expect(stderr).toMatch(/EISDIR|ENOTEMPTY|EPERM|EEXIST/)
  expect(stderr).toContain('--resume')
  expect(noteIn(out)).toMatchObject({ written: 0 })
})
