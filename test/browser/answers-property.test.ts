import { createServer } from 'node:net'
import { gzipSync, deflateSync, deflateRawSync, brotliCompressSync, zstdCompressSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../src/kernel/error.ts'
import { parameters } from '../attack/hostile.ts'
import { listen } from '../helpers/listen.ts'
import { word } from '../net/tolerant-answers.ts'
import { textOf } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'

const page = Buffer.from(
  `<!doctype html><title>Weft</title><p>Enough text for a page of its own, and at its end a ${word}</p>`,
)
type Encode = (bytes: Buffer) => Buffer

const statusLines = [
  'HTTP/1.1 200 OK',
  'HTTP/1.1 200 OK',
  'HTTP/1.1 200 OK',
  'HTTP/1.1 200',
  'HTTP/1.1 200 ',
  'HTTP/1.0 200 OK',
  'HTTP/1.1  200 OK',
  'http/1.1 200 OK',
  'HTTP/1.1 200 Ünlau',
  'HTTP/1.2 200 OK',
  '\r\nHTTP/1.1 200 OK',
  'HTTP/1.1 404 Not Found',
  'HTTP/1.1 299 Odd',
  'HTTP/1.1 999 Odd',
  'HTTP/1.1 20 OK',
  'ICY 200 OK',
  'HTTP/2 200 OK',
]
const oddLines = [
  'X-A : 1',
  ' X-B: folded at first',
  'X-C: 1\r\n  folded',
  'X-C: 1\r\n	folded',
  'no colon here',
  'X D: 1',
  'X-E: ab',
  'X-F: ÿ',
  ': no name',
  'X-G:',
  'X-H: "open',
  `X-I: ${'v'.repeat(7e4)}`,
  'X-J: a\0b',
  'X-K: a\rb',
  'Content-Type: text/html; charset="utf-8',
  'Transfer-Encoding: identity',
  'Set-Cookie: a=',
  'X(): 1',
]
const interim = [
  '',
  '',
  '',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n',
]
const codings: readonly (readonly [name: string, encode: Encode])[] = [
  ...['', '', '', 'identity', 'utf-8', 'gzip', 'br', 'unknown'].map(
    (name) => [name, (bytes: Buffer) => bytes] as const,
  ),
  ...['gzip', 'x-gzip', 'GZIP'].map((name) => [name, gzipSync] as const),
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['gzip', (bytes) => Buffer.concat([gzipSync(bytes), Buffer.from('what follows')])],
  ['gzip', (bytes) => gzipSync(gzipSync(bytes))],
  ['gzip, gzip', (bytes) => gzipSync(gzipSync(bytes))],
  ['gzip', (bytes) => Buffer.concat([gzipSync(bytes).subarray(0, -8), Buffer.alloc(8, 7)])],
]
const chunk = (bytes: Buffer, extension = '', end = '\r\n') =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}${extension}${end}`), bytes, Buffer.from(end)])
const last = Buffer.from('0\r\n\r\n')
const lengths: readonly ((length: number) => readonly string[])[] = [
  () => [],
  (length) => [`${length}`],
  (length) => [`${length + 7}`],
  (length) => [`${length}`, `${length}`],
  (length) => [`${length}, ${length}`],
  (length) => [`+${length}`],
  (length) => [`${length}x`],
  (length) => [`000${length}`],
  (length) => [`${length}`, `${length + 1}`],
  () => ['-1'],
  () => [''],
]
const chunked: readonly Encode[] = [
  (bytes) => Buffer.concat([chunk(bytes), last]),
  (bytes) => Buffer.concat([chunk(bytes.subarray(0, 20), ';a=b'), chunk(bytes.subarray(20), ' ; c="d;e"'), last]),
  (bytes) => Buffer.concat([chunk(bytes, '', '\n'), Buffer.from('0\n\n')]),
  (bytes) => Buffer.concat([Buffer.from('000'), chunk(bytes, '   '), Buffer.from('0;x\r\nTrailer: 1\r\n\r\n')]),
  (bytes) => chunk(bytes),
  (bytes) => Buffer.concat([chunk(bytes), last, Buffer.from('what follows')]),
]
type Framing = (bytes: Buffer) => { lines: readonly string[]; body: Buffer }
const framings: readonly Framing[] = [
  ...lengths.map((of): Framing => (body) => ({
    lines: of(body.length).map((length) => `Content-Length: ${length}`),
    body,
  })),
  ...chunked.flatMap((encode, nth): Framing[] =>
    ['chunked', nth % 2 === 0 ? 'Chunked' : 'identity, chunked'].map((name) => (bytes) => ({
      lines: [`Transfer-Encoding: ${name}`],
      body: encode(bytes),
    })),
  ),
]

/** Random responses with the deviations that RFC 9112 lets recipients accept or refuse. */
const answers = fc
  .record({
    before: fc.constantFrom(...interim),
    status: fc.constantFrom(...statusLines),
    end: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n'),
    odd: fc.array(fc.constantFrom(...oddLines), { maxLength: 2 }),
    isOddFirst: fc.boolean(),
    coding: fc.constantFrom(...codings),
    frame: fc.constantFrom(...framings),
  })
  .map(({ before, status, end, odd, isOddFirst, coding: [name, encode], frame }) => {
    const { lines, body } = frame(encode(page))
    const coding = name === '' ? [] : [`Content-Encoding: ${name}`]
    const usual = ['Content-Type: text/html', 'Connection: close', ...coding, ...lines]
    const head = [status, ...(isOddFirst ? [...odd, ...usual] : [...usual, ...odd]), '', ''].join(end)
    return Buffer.concat([Buffer.from(before + head, 'latin1'), body])
  })

async function siteOf(current: { answer: Buffer }): Promise<string> {
  const { origin, close } = await listen(
    createServer((socket) => void socket.on('error', () => {}).once('data', () => void socket.end(current.answer))),
  )
  onTestFinished(close)
  return `${origin}/`
}

/** `read`, or the error code. */
const outcomeOf = (came: Promise<{ body: Uint8Array }>): Promise<string> =>
  came.then(
    (answer) => (textOf(answer).includes(word) ? 'read' : 'other text'),
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

test(
  'every response that a browser can read is read, and any other fails with its cause',
  { timeout: 600_000 },
  async () => {
    const browser = await sharedRenderer()
    const current = { answer: Buffer.alloc(0) }
    const site = await siteOf(current)
    let nth = 0
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        current.answer = answer
        const url = `${site}${nth++}`
        const [shown, got] = [await outcomeOf(browser.render(url)), await outcomeOf(browser.fetchPage(url))]
        const causes = ['read', 'SCRAPE_SITE_ERROR', 'SCRAPE_ALL_ENGINES_FAILED']
        if (shown === 'read') expect(got).toBe('read')
        else expect([...causes, shown]).toContain(got)
      }),
      { ...parameters(200), interruptAfterTimeLimit: 500_000 },
    )
  },
)
