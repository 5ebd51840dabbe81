import { describe, expect, test } from 'vitest'
import { parseFile } from '../../src/engine/scrape/parse-file.ts'
import type { Ctx } from '../../src/kernel/ctx.ts'
import { failure } from '../../src/kernel/error.ts'
import { ParseInput } from '../../src/schema/scrape/file-upload.ts'
import { bytes, failureOf, fakeCtx, fakeWorld, noon, type World } from '../helpers/fakes.ts'

type Sent = { filename?: string; contentType?: string; content?: string; [option: string]: unknown }

function inputOf({ filename = 'a.csv', contentType, content = 'a,b\n1,2', ...options }: Sent): ParseInput {
  const base64 = Buffer.from(content, 'latin1').toString('base64')
  return ParseInput.parse({ file: { filename, base64, ...(contentType !== undefined && { contentType }) }, ...options })
}
const parse = (world: World, sent: Sent = {}, call: Partial<Ctx> = {}) =>
  parseFile(world.ports, inputOf(sent), fakeCtx(call))

describe('a file', () => {
  test('is read like a page, without a request', async () => {
    const world = fakeWorld()
    expect(await parse(world)).toEqual({
      markdown: 'a csv',
      metadata: {
        sourceURL: 'a.csv',
        url: 'a.csv',
        statusCode: 200,
        contentType: 'text/csv',
        scrapeId: 'job-1',
        creditsUsed: 1,
        concurrencyLimited: false,
      },
    })
    expect(world.documents).toMatchObject([{ kind: 'csv', url: 'file:///a.csv', bytes: bytes('a,b\n1,2') }])
    expect(world.fetched).toEqual([])
  })

  test('with HTML reports content that scripts would add', async () => {
    const world = fakeWorld()
    world.ports.readHtml = async () => ({ markdown: 'Hello', unfilled: ['placeholders', 'empty list'] })
    const { warning } = await parse(world, { filename: 'a.html', content: '<p>Hello</p>' })
    expect(warning).toBe(
      'Part of this page seems to be missing: in its place, the HTML has placeholder boxes and an empty container for a list.',
    )
  })

  test.each([
    ['the type that was sent', 'text/plain; charset=utf-16le', 'a.csv', 'text/plain; charset=utf-16le'],
    ['its name where no type was sent', undefined, 'a.csv', 'text/csv'],
    ['its name where the type says nothing', 'application/octet-stream', 'A.CSV', 'text/csv'],
    ['its name where a page was sent as text', 'text/plain; charset=utf-8', 'a.html', 'text/html; charset=utf-8'],
    ['its bytes where the name says nothing', undefined, 'data', 'text/plain'],
  ])('has %s', async (_, contentType, filename, type) => {
    const { metadata } = await parse(fakeWorld(), { filename, content: 'words', ...(contentType && { contentType }) })
    expect(metadata.contentType).toBe(type)
  })

  test.each(['a b/c?d#e%.csv', '..', 'größe.csv', 'https://example.com/a.csv'])(
    'called %s keeps its name, which is never used as a path',
    async (filename) => {
      const world = fakeWorld()
      expect((await parse(world, { filename })).metadata).toMatchObject({ url: filename, sourceURL: filename })
      expect(world.documents[0]?.url).toBe(`file:///${encodeURIComponent(filename)}`)
    },
  )

  test('cannot forge our own fields', async () => {
    const world = fakeWorld()
    world.state.parts = () => ({ metadata: { title: 'T', creditsUsed: 0, scrapeId: 'x', statusCode: 500 } })
    expect((await parse(world)).metadata).toMatchObject({
      title: 'T',
      creditsUsed: 1,
      scrapeId: 'job-1',
      statusCode: 200,
    })
  })

  test.each([
    ['a PDF costs a credit a page', { kind: 'pdf', numPages: 7 }, 7],
    ['slides cost one together', { kind: 'pptx', numPages: 7 }, 1],
  ] as const)('%s', async (_, parts, creditsUsed) => {
    const world = fakeWorld()
    world.state.parts = () => parts
    expect((await parse(world)).metadata).toMatchObject({ numPages: 7, creditsUsed })
  })

  test('reports omitted parts, and that it is empty', async () => {
    const world = fakeWorld()
    world.state.parts = () => ({ markdown: ' ', warning: 'Left out: page 2.' })
    expect((await parse(world)).warning).toBe('Left out: page 2. The file contains no readable text.')
  })
})

test('a PDF without the parser is returned as sent', async () => {
  const world = fakeWorld()
  const sent = { filename: 'a.pdf', content: '%PDF-1.7', parsers: [] }
  expect(await parse(world, sent)).toMatchObject({
    markdown: Buffer.from('%PDF-1.7').toString('base64'),
    metadata: { contentType: 'application/pdf', creditsUsed: 1 },
  })
  expect(world.documents).toEqual([])
})

const waiting: World['ports']['readDocument'] = (_, signal) =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
const failureWith = (readDocument: World['ports']['readDocument'], sent: Sent, call: Partial<Ctx> = {}) =>
  failureOf(parseFile({ ...fakeWorld().ports, readDocument }, inputOf(sent), fakeCtx(call)))

describe('a call that ends early', () => {
  test('by its timeout, counted from its arrival', async () => {
    expect(await failureWith(waiting, { timeout: 1000 }, { startedAt: noon - 1000 })).toMatchObject({
      code: 'SCRAPE_TIMEOUT',
      details: { timeoutMs: 1000 },
    })
  })

  test('by its caller', async () => {
    expect(await failureWith(waiting, {}, { signal: AbortSignal.abort() })).toMatchObject({ code: 'REQUEST_CANCELLED' })
  })
})

const refusing: World['ports']['readDocument'] = async () => {
  throw failure('SCRAPE_UNSUPPORTED_FILE_ERROR', { cause: new Error('words of the file') })
}

test('a failure logs nothing of the file if nothing may be stored', async () => {
  const error = (await failureWith(refusing, { zeroDataRetention: true })) as Error
  expect(error).toMatchObject({ code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' })
  expect(error.cause).toBeUndefined()
})
