import { describe, expect, it } from 'vitest'
import { readHtml } from '../../src/engine/html/page/read-parts.ts'
import { createReader, type Reader } from '../../src/engine/html/worker/html-reader.ts'
import type { OfTeam, ReadRequest } from '../../src/contracts/page-content.ts'
import { forTest } from '../helpers/for-all.ts'
import { requestOf } from './read.ts'

const never = new AbortController().signal
const request = (html: string, options: Partial<ReadRequest> = {}): ReadRequest & OfTeam => ({
  teamId: 'red',
  ...requestOf(html, ['markdown'], options),
})
const paragraphs = (count: number) => '<p>Some words that fill a paragraph of a very long page.</p>'.repeat(count)

const reader = (...options: Parameters<typeof createReader>): Reader => forTest(createReader(...options))

describe('a page read in a thread', () => {
  it('has the same result as in the main thread', async () => {
    const page = request(`<h1>Title</h1>${paragraphs(50)}`)
    expect(await reader()(page, never)).toEqual(readHtml(page))
  })

  it('fails with the same typed error, and the thread continues', async () => {
    const wrong = request('<p>a</p>', { includeTags: ['p['] })
    const read = reader({ maxThreads: 1 })
    const failure = await read(wrong, never).catch((error: unknown) => error as Error)
    expect(failure).toMatchObject({ name: 'GossamerError', code: 'BAD_REQUEST', status: 400 })
    expect(() => readHtml(wrong)).toThrow((failure as Error).message)
    expect(await read(request('<p>next</p>'), never)).toMatchObject({ markdown: 'next' })
  })

  it('is abandoned when its signal fires, the program continues, and the next page gets a thread', async () => {
    const gone = new AbortController()
    const read = reader({ maxThreads: 1 })
    const reading = read(request(paragraphs(140_000)), gone.signal)
    const next = read(request('<p>next</p>'), never)
    let turns = 0
    const ticking = setInterval(() => {
      turns += 1
      if (turns === 5) gone.abort(new Error('enough'))
    }, 5)
    await expect(reading).rejects.toThrow('enough')
    clearInterval(ticking)
    expect(turns).toBe(5)
    expect(await next).toMatchObject({ markdown: 'next' })
  })

  it('ends with a typed error if it needs too much memory, without affecting other pages', async () => {
    const read = reader({ maxThreads: 1, maxThreadMb: 24, maxCpuMs: 60_000 })
    const large = read(request(paragraphs(100_000)), never)
    const small = read(request('<p>small</p>'), never)
    await expect(large).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR', message: 'The page is too large to read.' })
    expect(await small).toMatchObject({ markdown: 'small' })
  })

  it('ends with a typed error if it computes too long, whatever the timeout of its call', async () => {
    const read = reader({ maxThreads: 1, maxCpuMs: 20 })
    const slow = read(request(paragraphs(140_000)), never)
    await expect(slow).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT', message: 'The page takes too long to parse.' })
  })

  it('waits its turn if enough pages are being read', async () => {
    const read = reader({ maxThreads: 1 })
    const gone = new AbortController()
    const first = read(request(paragraphs(2000)), never)
    const second = read(request('<p>second</p>'), never)
    const third = read(request('<p>third</p>'), gone.signal)
    gone.abort(new Error('left the queue'))
    await expect(third).rejects.toThrow('left the queue')
    expect((await first).markdown).toContain('Some words')
    expect(await second).toMatchObject({ markdown: 'second' })
  })

  it('is read although its idle thread has ended', async () => {
    const read = reader({ idleMs: 1, lastIdleMs: 1 })
    expect(await read(request('<p>one</p>'), never)).toMatchObject({ markdown: 'one' })
    expect(read.threads()).toBe(1)
    await expect.poll(() => read.threads()).toBe(0)
    expect(await read(request('<p>two</p>'), never)).toMatchObject({ markdown: 'two' })
  })

  it('fails when the reader is closed', async () => {
    const read = reader()
    const reading = read(request(paragraphs(140_000)), never)
    const failed = expect(reading).rejects.toThrow('ended without an answer')
    await new Promise(setImmediate)
    await read.close()
    await failed
    expect(read.threads()).toBe(0)
  })
})
