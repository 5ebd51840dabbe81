import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { a, read, url, urlset } from './sitemap-reading.ts'

const many = (count: number) => urlset(Array.from({ length: count }, (_, at) => url(`${a}/${at}`)).join('\n'))
const packed = (piece: string, times: number) => gzipSync(Buffer.alloc(piece.length * times, piece), { level: 1 })

describe('a large file', () => {
  test('with 50,000 pages is read whole, in batches of at most 1,000, in order', async () => {
    const { urls, sizes, remark } = await read(gzipSync(many(50_000)))
    expect(urls).toEqual(Array.from({ length: 50_000 }, (_, at) => `${a}/${at}`))
    expect(Math.max(...sizes)).toBe(1000)
    expect(remark).toBeUndefined()
  })

  test('with more pages is read up to the limit', async () => {
    const { urls, remark } = await read(many(50_001))
    expect(urls).toHaveLength(50_000)
    expect(remark).toBe('A sitemap holds more than 50000 URLs; the rest was skipped.')
  })

  test('lets other work run in between', async () => {
    let turns = 0
    const control = new AbortController()
    const count = (): void => {
      turns += 1
      if (!control.signal.aborted) setImmediate(count)
    }
    count()
    await read(many(20_000))
    control.abort()
    expect(turns).toBeGreaterThan(3)
  })
})

describe('a bomb', () => {
  test.each([
    ['zero bytes', packed('\0', 200_000_000), /no URLs/],
    ['tags', packed('<urlset><url>', 5_000_000), /larger than 50 MB/],
    ['pages', packed(url(a), 5_000_000), /more than 50000 URLs/],
    ['lines', packed(`${a}\n`, 3_000_000), /more than 50000 URLs/],
    ['lines that are no addresses', packed('https://\n', 7_000_000), /no URLs/],
  ])('made of %s ends early', async (_, body, remark) => expect((await read(body)).remark).toMatch(remark))

  test.each([
    ['tags without an end', '<a'.repeat(2_000_000)],
    ['brackets', '<'.repeat(4_000_000)],
    ['a comment without an end', `<urlset>${url(a)}<!--${'-'.repeat(4_000_000)}`],
    ['CDATA without an end', `<urlset><url><loc><![CDATA[${']'.repeat(4_000_000)}`],
    ['an address without an end', `<urlset><url><loc>${'&amp;'.repeat(1_000_000)}`],
    ['a tag without an end', `<urlset><url${' a="1"'.repeat(700_000)}`],
    ['elements in elements', '<url>'.repeat(800_000)],
  ])('made of %s is read in bounded time', async (_, body) => {
    expect((await read(body)).urls.length).toBeLessThanOrEqual(1)
  })

  test('made of entities expands nothing', async () => {
    const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
    const body = `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY l0 "lol"><!ENTITY x SYSTEM "file:///etc/passwd">${entities}]>${urlset(url(`${a}?&l9;&x;`))}`
    expect((await read(body)).urls).toEqual([`${a}?&l9;&x;`])
  })
})
