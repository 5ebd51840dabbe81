import { describe, expect, it } from 'vitest'
import type { ReadRequest } from '../../src/core/ports.ts'
import { createReader } from '../../src/engine/html/reader.ts'

const never = new AbortController().signal
const request = (html: string, more: Partial<ReadRequest> = {}): ReadRequest => ({
  html,
  url: 'https://ex.com/',
  wanted: ['markdown'],
  attributes: [],
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  ...more,
})
const paragraphs = (count: number) => '<p>Some words that fill a paragraph of a very long page.</p>'.repeat(count)
const inThread = { threadFromCharacters: 0 }

describe('a page read in a thread', () => {
  it('reads as it does here', async () => {
    const html = `<h1>Title</h1>${paragraphs(50)}`
    expect(await createReader(inThread)(request(html), never)).toEqual(await createReader()(request(html), never))
  })

  it('fails with the same typed error', async () => {
    const wrong = request('<p>a</p>', { includeTags: ['p['] })
    const errors = await Promise.all(
      [inThread, {}].map((options) => createReader(options)(wrong, never).catch((error: unknown) => error)),
    )
    expect(errors[0]).toMatchObject({ name: 'AppError', code: 'BAD_REQUEST', status: 400 })
    expect((errors[0] as Error).message).toBe((errors[1] as Error).message)
  })

  it('is given up when its signal fires, while the program goes on', async () => {
    const gone = new AbortController()
    const reading = createReader(inThread)(request(paragraphs(200_000)), gone.signal)
    let turns = 0
    const ticking = setInterval(() => {
      turns += 1
      if (turns === 5) gone.abort(new Error('enough'))
    }, 5)
    await expect(reading).rejects.toThrow('enough')
    clearInterval(ticking)
    expect(turns).toBe(5)
  })

  it('ends with a typed error when it needs more memory than it may have', async () => {
    const reading = createReader({ ...inThread, maxThreadMb: 24 })(request(paragraphs(100_000)), never)
    await expect(reading).rejects.toMatchObject({
      code: 'SCRAPE_SITE_ERROR',
      message: 'The page is too large to be read.',
    })
  })

  it('waits for its turn where enough pages are read already', async () => {
    const read = createReader({ ...inThread, maxThreads: 1 })
    const gone = new AbortController()
    const first = read(request(paragraphs(2000)), never)
    const second = read(request('<p>second</p>'), never)
    const third = read(request('<p>third</p>'), gone.signal)
    gone.abort(new Error('left the queue'))
    await expect(third).rejects.toThrow('left the queue')
    expect((await first).markdown).toContain('Some words')
    expect(await second).toEqual({ markdown: 'second' })
  })
})
