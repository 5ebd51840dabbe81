import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { WARCParser } from 'warcio'
import { folderForEach } from '../../helpers/for-all.ts'
import { allPages, linesIn, noteIn, runCrawl, start, stoppedAt, toyCrawl } from './toy-crawl.ts'

const dir = folderForEach()
let out: string
let warc: string
beforeEach(() => {
  out = join(dir.path, 'site')
  warc = join(dir.path, 'archive', 'site.warc.gz')
})

describe('--warc', () => {
  test('writes every exchange, fetched again, and prints no pages', async () => {
    const toy = toyCrawl(3)
    const { code, stdout } = await runCrawl(toy, [start], { flags: { warc } })
    expect(code).toBe(0)
    expect(toy.calls[0]?.input).toEqual({ url: start, scrapeOptions: { maxAge: 0 } })
    expect(JSON.parse(stdout)).toMatchObject({ completed: 3, warc })
    expect(await targets(warc)).toEqual(allPages(3))
    expect(toy.listeners.size).toBe(0)
  })

  test('continues in the same file, which ends with the exchanges that were in progress', async () => {
    const toy = toyCrawl(5)
    await stoppedAt(2, toy, { out, warc })
    expect(await targets(warc)).toEqual(allPages(4))
    expect(linesIn(out).length).toBe(3)
    expect(noteIn(out)).toMatchObject({ warc: { file: warc, bytes: readFileSync(warc).length } })
    await runCrawl(toy, [], { flags: { out, resume: true } })
    expect(await targets(warc)).toEqual(allPages(5))
    expect(linesIn(out).length).toBe(5)
  })

  test('ends the command, not the crawl, when the disk is full', async () => {
    const toy = toyCrawl(5)
    toy.toy.onPoll = (poll) => {
      const [listener] = toy.listeners
      if (poll !== 2 || !listener) return
      const broken = { at: Number.NaN, request: { url: start, method: 'GET', headers: {} } }
      void listener({ ...broken, response: { url: start, status: 200, headers: {}, body: Buffer.from('') } })
    }
    const { code, stderr } = await runCrawl(toy, [start], { flags: { out, warc } })
    expect(code).toBe(1)
    expect(stderr).toContain('gossamer crawl --resume --out')
    expect(toy.toy.status).toBe('scraping')
  })

  test('is refused before a crawl starts if the name is that of another kind of file', async () => {
    const toy = toyCrawl(1)
    const file = join(dir.path, 'notes.txt')
    writeFileSync(file, 'my notes')
    await expect(runCrawl(toy, [start], { flags: { out, warc: file } })).rejects.toThrow('not a compressed WARC file')
    expect(toy.calls).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe('my notes')
    expect((await runCrawl(toy, [start], { flags: { out } })).code).toBe(0)
  })
})

async function targets(path: string): Promise<string[]> {
  const found: string[] = []
  for await (const record of new WARCParser(createReadStream(path))) {
    if (record.warcType === 'response') found.push(record.warcTargetURI ?? '')
    await record.readFully(false)
  }
  return found
}
