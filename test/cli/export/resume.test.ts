import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { UsageError } from '../../../src/cli/command.ts'
import { thisProcess } from '../../../src/engine/browser/launch/profile-dir.ts'
import { folderForEach } from '../../helpers/for-all.ts'
import { allPages, id, linesIn, noteIn, runCrawl, start, stoppedAt, toyCrawl, urlsIn } from './toy-crawl.ts'

const dir = folderForEach()
let out: string
beforeEach(() => void (out = join(dir.path, 'site')))

describe('an export that is stopped', () => {
  test('has all its pages on disk, continues from its last page, and is not cancelled', async () => {
    const toy = toyCrawl(6)
    const { code, stderr } = await stoppedAt(2, toy, { out })
    expect(code).toBe(130)
    expect(stderr).toContain(`gossamer crawl --resume --out ${out}`)
    expect(linesIn(out).length).toBe(toy.toy.done)
    expect(noteIn(out)).toMatchObject({ status: 'scraping', written: 3 })
    expect(toy.calls.map(({ name }) => name)).not.toContain('crawl_cancel')

    const resumed = await runCrawl(toy, [], { flags: { out, resume: true } })
    expect(resumed.code).toBe(0)
    expect(urlsIn(out)).toEqual(allPages(6))
    expect(new Set(linesIn(out).map(({ file }) => file)).size).toBe(6)
    expect(toy.calls.filter(({ name }) => name === 'crawl').length).toBe(1)
    expect(noteIn(out)).toEqual({ id, url: start, status: 'completed', written: 6 })
  })

  test('in the middle of a line continues after the last complete one', async () => {
    const toy = toyCrawl(6)
    await stoppedAt(3, toy, { out })
    const text = readFileSync(join(out, 'pages.jsonl'), 'utf8')
    writeFileSync(join(out, 'pages.jsonl'), text.slice(0, -20))
    writeFileSync(join(out, 'crawl.json'), JSON.stringify({ ...noteIn(out), written: 1 }))
    await runCrawl(toy, [start], { flags: { out, resume: true } })
    expect(urlsIn(out)).toEqual(allPages(6))
  })

  test('prints the folder quoted for a shell', async () => {
    const { stderr } = await stoppedAt(1, toyCrawl(3), { out: join(dir.path, "it's here") })
    expect(stderr).toContain(`--out '${dir.path}/it'\\''s here'`)
  })
})

describe('--resume', () => {
  test('reports a crawl that is no longer stored', async () => {
    await stoppedAt(1, toyCrawl(3), { out })
    writeFileSync(join(out, 'crawl.json'), JSON.stringify({ ...noteIn(out), id: 'another' }))
    const { code, stderr } = await runCrawl(toyCrawl(3), [], { flags: { out, resume: true } })
    expect(code).toBe(1)
    expect(stderr).toContain('JOB_NOT_FOUND')
    expect(stderr).not.toContain('--resume')
  })

  test.each([
    ['needs a folder', [], { resume: true }, 'needs --out PATH'],
    ['needs the folder of a crawl', [], { resume: true, out: '/nowhere/at/all' }, 'contains no crawl'],
    ['needs the same address', ['http://b.test/'], { resume: true }, 'contains a crawl of http://a.test/'],
    ['takes no other options', [start, '{}'], { resume: true }, 'keeps its original options'],
    ['takes no other limit', [], { resume: true, limit: '5' }, 'keeps its original options'],
  ])('%s', async (name, words, flags, message) => {
    await stoppedAt(1, toyCrawl(3), { out })
    const all = name === 'needs a folder' ? flags : { out, ...flags }
    const refused = runCrawl(toyCrawl(3), words, { flags: all })
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.toBeInstanceOf(UsageError)
  })

  test.each([
    ['crawl.json', 'nonsense'],
    ['crawl.json', '{"id":1}'],
    ['pages.jsonl', '{"file":1}\n'],
    ['pages.jsonl', 'nonsense\n'],
  ])('refuses a folder whose %s is %s', async (file, text) => {
    await stoppedAt(1, toyCrawl(3), { out })
    writeFileSync(join(out, file), text)
    await expect(runCrawl(toyCrawl(3), [], { flags: { out, resume: true } })).rejects.toThrow('was not written by')
    expect(readFileSync(join(out, file), 'utf8')).toBe(text)
  })
})

test('a folder is written by one process only', async () => {
  await stoppedAt(1, toyCrawl(3), { out })
  expect(noteIn(out)).not.toHaveProperty('writer')
  const note = (writer: object) => writeFileSync(join(out, 'crawl.json'), JSON.stringify({ ...noteIn(out), writer }))
  note(await thisProcess())
  await expect(runCrawl(toyCrawl(3), [], { flags: { out, resume: true } })).rejects.toThrow('is writing to')
  note({ ...(await thisProcess()), startedAt: 'another time', host: hostname() })
  expect((await runCrawl(toyCrawl(3), [], { flags: { out, resume: true } })).code).toBe(0)
})
