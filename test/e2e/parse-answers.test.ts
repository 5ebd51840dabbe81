import { beforeAll, describe, expect, it } from 'vitest'
import { sharedServer, type SharedServer } from '../helpers/shared-server.ts'
import { filesToSend, formOf, page, pdfOf, uploadOf, type FileToSend } from './parse-files.ts'

const files = await filesToSend()
let server: SharedServer

beforeAll(async () => {
  server = await sharedServer()
})

type Answer = {
  status: number
  body: {
    success: boolean
    code?: string
    data: { markdown?: string; metadata: Record<string, unknown>; [field: string]: unknown }
  }
}
async function send(file: FileToSend, options: object = {}): Promise<Answer> {
  const response = await fetch(`${server.url}/v2/parse`, { method: 'POST', body: formOf(file, options) })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}
const get = async (path: string) => (await (await fetch(`${server.url}${path}`)).json()) as Record<string, unknown>
const credits = async (file: FileToSend, options?: object) =>
  (await send(file, options)).body.data.metadata['creditsUsed']
const rowOf = async (id: unknown) => {
  const { data } = (await get('/v2/team/activity?limit=100')) as { data: { id: string; target: string | null }[] }
  return data.find((row) => row.id === id)
}
const pdf = async (pages: number): Promise<FileToSend> => ({
  filename: 'report.pdf',
  contentType: 'application/pdf',
  bytes: await pdfOf(pages),
})
const csv: FileToSend = { filename: 'prices.csv', contentType: 'text/csv', bytes: Buffer.from('name,price\nrope,7\n') }
const html: FileToSend = { filename: 'page.html', contentType: 'text/html', bytes: Buffer.from(page) }

describe('a parsed file', () => {
  it('is described like a scraped page', async () => {
    const { body } = await send(await pdf(2))
    expect(body.data.metadata).toEqual({
      title: 'A report on ropes',
      publishedTime: '2026-03-15T12:00:00.000Z',
      modifiedTime: '2026-03-15T12:00:00.000Z',
      sourceURL: 'report.pdf',
      url: 'report.pdf',
      statusCode: 200,
      contentType: 'application/pdf',
      numPages: 2,
      wordCount: expect.any(Number),
      scrapeId: expect.any(String),
      creditsUsed: 2,
      concurrencyLimited: false,
    })
  })

  it('gets its type from its name or bytes if none is sent', async () => {
    const { bytes } = await pdf(1)
    for (const filename of ['report.pdf', 'report', 'report.txt']) {
      const { body } = await send({ filename, contentType: '', bytes })
      expect(body.data, filename).toMatchObject({ markdown: expect.stringContaining('Chapter 1') })
    }
    const { body } = await send({ filename: 'report', contentType: 'application/octet-stream', bytes })
    expect(body.data.metadata).toMatchObject({ contentType: 'application/pdf', numPages: 1 })
  })

  it('leaves nothing behind with zeroDataRetention', async () => {
    const { body } = await send(csv, { zeroDataRetention: true })
    const id = String(body.data.metadata['scrapeId'])
    expect(body.data.markdown).toContain('rope')
    expect(await rowOf(id)).toMatchObject({ target: null })
    expect(await get(`/v2/scrape/${id}`)).toMatchObject({ success: false, code: 'JOB_NOT_FOUND' })
  })

  it('costs one credit, a PDF one per page, and a failure none', async () => {
    expect(await credits(csv)).toBe(1)
    expect(await credits(await pdf(3))).toBe(3)
    expect(await credits(await pdf(3), { parsers: [{ type: 'pdf', maxPages: 2 }] })).toBe(2)
    expect(await credits(await pdf(3), { parsers: [] })).toBe(1)
  })
})

describe('the formats of a file', () => {
  const selectors = [{ selector: 'a', attribute: 'href' }]
  const formats = ['markdown', 'html', 'rawHtml', 'links', 'images', { type: 'attributes', selectors }]

  it('are the same for an HTML file as for a page', async () => {
    const { data } = (await send(html, { formats })).body
    expect(data).toMatchObject({
      html: expect.stringContaining('<h1>Ropes</h1>'),
      rawHtml: page,
      metadata: { title: 'Ropes', language: 'en' },
    })
    expect(data.markdown).not.toContain('Home')
    expect((await send(html, { onlyMainContent: false })).body.data.markdown).toContain('Home')
    expect((await send(html, { includeTags: ['h1'] })).body.data.markdown).toBe('# Ropes')
  })

  it('keep relative links of an HTML file unchanged', async () => {
    const { data } = (await send(html, { formats })).body
    expect(data.markdown).toContain('[knots](knots.html)')
    expect(data.markdown).toContain('[the end](#end)')
    expect(data.markdown).toContain('![A rope](img/rope.png)')
    expect(data['links']).toEqual(['https://example.com/home', 'https://example.com/hemp'])
    expect(data['images']).toEqual([])
    expect(JSON.stringify(data)).not.toContain('file:')
  })

  it.each(files)('contain no address of a file: $filename', async (file) => {
    const { body } = await send(file, { formats })
    expect(JSON.stringify(body)).not.toMatch(/file:\/|localhost/)
    expect(body.data).toMatchObject({ html: expect.any(String), links: expect.any(Array), images: expect.any(Array) })
  })
})

describe('the name of a file', () => {
  it.each([
    ['a path', '../../etc/passwd.csv'],
    ['an address', 'https://example.com/a.csv'],
    ['with signs of many scripts', 'größe 价格.csv'],
  ])('that is %s is used as a name only', async (_, filename) => {
    const answer = await fetch(`${server.url}/v2/parse`, {
      method: 'POST',
      body: JSON.stringify(uploadOf({ ...csv, filename })),
      headers: { 'content-type': 'application/json' },
    })
    expect(await answer.json()).toMatchObject({
      data: { markdown: expect.stringContaining('| rope | 7 |'), metadata: { sourceURL: filename } },
    })
  })
})

describe('a file that is too large', () => {
  const large = Buffer.alloc(50 * 1024 * 1024 + 1, 'a,b\n')

  it('is refused as a form', async () => {
    expect(await send({ ...csv, bytes: large })).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
  })
})
