import { describe, expect, test } from 'vitest'
import { rawText, readPage } from '../../src/engine/scrape/read-content.ts'
import { bytes, failureOf, fakeCtx, fakeWorld, noon } from '../helpers/fakes.ts'
import type { PdfOptions } from '../../src/contracts/page-content.ts'

const never = new AbortController().signal
const call = { team: fakeCtx().team, signal: never }
const content = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

const pageOf = (type: string | undefined, body: string | Uint8Array, status = 200) => ({
  fetchedAt: noon,
  url: 'https://example.com/file',
  status,
  headers: { ...(type !== undefined && { 'content-type': type }) },
  body: bytes(body),
})

const auto = { mode: 'auto' } as const
type Choice = { pdf?: PdfOptions | undefined; status?: number }
function read(type: string | undefined, body: string | Uint8Array, { status = 200, ...choice }: Choice = {}) {
  const world = fakeWorld()
  const pdf = 'pdf' in choice ? choice.pdf : auto
  const wanted = { parts: ['markdown', 'metadata'] as const, attributes: [], options: content, pdf }
  return { world, parts: readPage(world.ports, pageOf(type, body, status), wanted, call) }
}

test('HTML is read once for all parts, in its charset', async () => {
  const { world, parts } = read('text/html; charset=iso-8859-1', Buffer.from('<p>f\xfcr</p>', 'latin1'))
  expect(await parts).toEqual({ markdown: 'Hello', metadata: { title: 'A title' } })
  expect(world.read).toEqual([
    {
      ...content,
      teamId: 'acme',
      html: '<p>für</p>',
      charset: 'windows-1252',
      url: 'https://example.com/file',
      wanted: ['markdown', 'metadata'],
      attributes: [],
    },
  ])
})

describe('a file that is not HTML', () => {
  test.each([
    ['json', 'application/json', '{"a":1}'],
    ['feed', 'application/rss+xml', '<rss/>'],
    ['csv', 'text/csv', 'a,b'],
    ['pdf', 'application/pdf', '%PDF-1.7'],
    ['pdf', 'text/html', '%PDF-1.7'],
  ])('is read as %s with the media type %s', async (kind, contentType, body) => {
    const { world, parts } = read(contentType, body)
    expect(await parts).toEqual({ markdown: `a ${kind}`, metadata: {}, kind })
    expect(world.documents).toEqual([
      {
        ...content,
        teamId: 'acme',
        kind,
        bytes: bytes(body),
        url: 'https://example.com/file',
        contentType,
        wanted: ['markdown', 'metadata'],
        attributes: [],
        pdf: auto,
      },
    ])
  })

  test('is read with the requested PDF options', async () => {
    const pdf = { mode: 'fast', maxPages: 3 } as const
    const { world, parts } = read('application/pdf', '%PDF-1.7', { pdf })
    await parts
    expect(world.documents[0]?.pdf).toEqual(pdf)
  })
})

describe('a PDF without the parser', () => {
  const pdf = '%PDF-1.7 \0'

  test('is returned as base64, with only its own bytes', async () => {
    const shared = Buffer.from(`secret${pdf}secret`)
    const { world, parts } = read('application/pdf', shared.subarray(6, 6 + pdf.length), { pdf: undefined })
    expect(await parts).toMatchObject({ markdown: Buffer.from(pdf).toString('base64'), links: [], metadata: {} })
    expect(world.documents).toEqual([])
  })
})

describe('a binary file', () => {
  test.each([
    ['application/zip', 'PK\x03\x04'],
    ['video/mp4', '\0\0\0'],
    [undefined, '\0\x01\x02'],
    ['text/plain', 'a\0b'],
  ])('of type %s is refused', async (type, body) => {
    expect(await failureOf(read(type, body).parts)).toMatchObject({
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
      status: 500,
    })
  })

  test.each(['image/png', 'application/pdf'])('of type %s in an error response is an empty page', async (type) => {
    const { parts } = read(type, '%PDF-', { status: 404 })
    expect(await parts).toEqual({
      markdown: '',
      html: '',
      links: [],
      anchors: [],
      images: [],
      attributes: [],
      metadata: {},
      media: {},
      product: null,
    })
  })
})

test.each([
  ['application/pdf', '%PDF-1.7'],
  ['image/png', '\x89PNG'],
  ['text/html', '%PDF-1.7'],
])('a file of bytes has no raw text: %s', (type, body) => expect(rawText(pageOf(type, body))).toBe(''))
