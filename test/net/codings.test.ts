import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { siteForAll } from '../helpers/for-all.ts'
import { packedText } from '../helpers/site/codings.ts'
import { readBody } from '../../src/engine/net/http/read-body.ts'
import { client, textOf } from './fetching.ts'

const packedPage = gzipSync(packedText)
const html = { 'content-type': 'text/html; charset=utf-8' }
const site = siteForAll({
  routes: {
    '/undeclared': ({ response }) => void response.writeHead(200, html).end(packedPage),
    '/undeclared-text': ({ response }) =>
      void response.writeHead(200, { 'content-type': 'text/plain' }).end(packedPage),
    '/declared-br': ({ response }) =>
      void response.writeHead(200, { ...html, 'content-encoding': 'br' }).end(packedPage),
    '/declared-deflate': ({ response }) =>
      void response.writeHead(200, { ...html, 'content-encoding': 'deflate' }).end(packedPage),
    '/transfer-coding': ({ response }) =>
      void response.writeHead(200, { ...html, 'transfer-encoding': 'gzip, chunked' }).end(packedPage),
    '/gzip-file': ({ response }) =>
      void response.writeHead(200, { 'content-type': 'application/gzip' }).end(packedPage),
    '/undeclared-large': ({ response }) =>
      void response.writeHead(200, html).end(gzipSync(Buffer.alloc(200_000, 'some text '))),
    '/binary': ({ response }) => void response.writeHead(200, html).end(gzipSync(Buffer.alloc(100))),
  },
})

const codings =
  'gzip x-gzip br zstd deflate raw-deflate upper-case gzip-then-br deflate-in-gzip identity utf-8 four-fold gzip-and-garbage'
test.each(codings.split(' '))('unpacks %s', async (coding) =>
  expect(textOf(await client()(site.url(`/coded/${coding}`)))).toBe(packedText),
)

test.each(['undeclared', 'undeclared-text', 'declared-br', 'declared-deflate', 'transfer-coding'])(
  'unpacks a page that is gzip: /%s',
  async (path) => expect(textOf(await client()(site.url(`/${path}`)))).toBe(packedText),
)

test.each(['gzip-file', 'binary'])('keeps the bytes of a gzip that is not a page: /%s', async (path) => {
  expect([...(await client()(site.url(`/${path}`))).body.subarray(0, 2)]).toEqual([0x1f, 0x8b])
})

test('refuses a page that is gzip without saying so and too large when unpacked', async () => {
  await expect(client()(site.url('/undeclared-large'), { maxBytes: 100_000 })).rejects.toMatchObject({
    code: 'SCRAPE_SITE_ERROR',
    message: 'The page is larger than 100000 bytes.',
  })
})

test('unpacks every member of a gzip body', async () => {
  expect(textOf(await client()(site.url('/coded/gzip-members')))).toBe('first, second')
})

test('returns the decoded part of a truncated body', async () => {
  const cut = textOf(await client()(site.url('/coded/cut-gzip')))
  expect(packedText.startsWith(cut)).toBe(true)
  expect(cut).toContain('Grüße')
  expect((await client()(site.url('/coded/cut-br'))).body.length).toBeGreaterThan(0)
})

test.each([
  ['eight-fold', 'The page is wrapped in more than 4 content codings.'],
  ['not-br', 'The page does not match its declared content encoding.'],
])('refuses %s: %s', async (coding, message) => {
  await expect(client()(site.url(`/coded/${coding}`))).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR', message })
})

test.each(['unknown', 'constructor'])('ignores the unknown coding %s, as browsers do', async (coding) => {
  expect((await client()(site.url(`/coded/${coding}`))).body.length).toBeGreaterThan(0)
})

test.each(['br', 'triple-gzip', 'gzip-members', 'empty-members'])(
  'stops unpacking the bomb %s at the limit, so that memory stays small',
  async (bomb) => {
    const get = client()
    await get(site.url('/coded/gzip'))
    const peakBefore = process.resourceUsage().maxRSS
    await expect(get(site.url(`/bomb/${bomb}`), { maxBytes: 5_000_000 })).rejects.toMatchObject({
      code: 'SCRAPE_SITE_ERROR',
      message: 'The page is larger than 5000000 bytes.',
    })
    expect(process.resourceUsage().maxRSS - peakBefore, 'peak memory, kilobytes').toBeLessThan(120_000)
  },
)

test('the limit is exact, and applies to a body without a coding too', async () => {
  const size = Buffer.byteLength(packedText)
  for (const path of ['/coded/br', '/coded/identity']) {
    expect((await client()(site.url(path), { maxBytes: size })).body.length).toBe(size)
    await expect(client()(site.url(path), { maxBytes: size - 1 })).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
  }
})

const text = (length: number) => Buffer.alloc(length, 'some text ')

test.each([0, 1, 62, 63, 64, 16_384, 65_537, 1_048_575, 1_048_576, 1_048_577])(
  'gzip of %i bytes is complete, whether decoded whole or as a stream',
  async (length) => {
    const packed = gzipSync(text(length))
    for (const body of [packed, Readable.from([packed])])
      expect((await readBody(body, 'gzip', 2_000_000)).bytes.length).toBe(length)
  },
)

test.each([0, 5, 0xff_ff_ff_ff])(
  'gzip with a false length of %i bytes is decoded as far as it goes',
  async (length) => {
    const packed = gzipSync(text(5000))
    packed.writeUInt32LE(length, packed.length - 4)
    expect((await readBody(packed, 'gzip', 1_000_000)).bytes.length).toBe(5000)
  },
)

test('bytes received whole are cut and limited like those of a stream', async () => {
  const packed = gzipSync(text(5000))
  expect((await readBody(packed.subarray(0, -20), 'gzip', 1_000_000)).isCut).toBe(true)
  for (const [body, coding] of [
    [packed, 'gzip'],
    [text(5000), ''],
  ] as const)
    await expect(readBody(body, coding, 4999)).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
})

test('a short body with a false length of a megabyte gets no buffer of that size', async () => {
  // Bytes after a null byte are ignored, except the last four, which are read as the length.
  const lie = Buffer.concat([gzipSync('hello'), Buffer.from([0, 0, 0, 0, 0xff, 0xff, 0x0f, 0])])
  const { bytes } = await readBody(lie, 'gzip', 10_000_000)
  expect(new TextDecoder().decode(bytes)).toBe('hello')
  expect(bytes.buffer.byteLength).toBeLessThan(100_000)
})

describe('a gzip body in a form that browsers accept', () => {
  const content = 'a page of its own '.repeat(20)
  const packed = gzipSync(content)
  const long = gzipSync(randomBytes(300_000).toString('base64'))
  const [member, longMember] = [packed, long].map((gzip) => ({ whole: gzip, noTrailer: gzip.subarray(0, -8) }))
  test.each([
    ['with bytes behind it', Buffer.concat([packed, Buffer.from('\n\n')])],
    ['with a wrong checksum', Buffer.concat([member!.noTrailer, Buffer.alloc(8)])],
    ['that is plain text', Buffer.from(content)],
    ['that is packed twice', gzipSync(packed)],
  ])('%s is read', async (_, body) => {
    const { bytes } = await readBody(body, 'gzip', 1_000_000)
    expect(Buffer.from(bytes).toString()).toBe(content)
  })

  test.each([100, 500_000])('is refused if it is neither gzip nor text: %i bytes', async (length) => {
    const body = Buffer.concat([Buffer.from('6e\r\n'), packed, randomBytes(length)])
    await expect(readBody(body, 'gzip', 1_000_000)).rejects.toMatchObject({ code: 'Z_DATA_ERROR' })
  })

  test('that contains binary data is read', async () => {
    const bytes = randomBytes(5000)
    expect(Buffer.from((await readBody(gzipSync(bytes), 'gzip', 1_000_000)).bytes).equals(bytes)).toBe(true)
  })

  test('that is long is read with a wrong checksum, too', async () => {
    const body = Buffer.concat([longMember!.noTrailer, Buffer.alloc(8), Buffer.from('<!-- cached -->')])
    expect((await readBody(body, 'gzip', 1_000_000)).bytes).toHaveLength(400_000)
  })
})
