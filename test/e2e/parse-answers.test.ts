import { join } from 'node:path'
import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, tempDir } from '../helpers/program.ts'
import { base64Of, filesToSend, formOf, page, pdfOf, uploadOf, type FileToSend } from './parse-files.ts'

const folder = tempDir()
const files = await filesToSend()
let server: Awaited<ReturnType<typeof startServer>>
let poor: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  const env = { GOSSAMER_DATA_DIR: join(folder.path, 'data'), GOSSAMER_PERMISSIONS: 'zeroDataRetention' }
  server = await startServer(env)
  poor = await startServer({ GOSSAMER_DATA_DIR: join(folder.path, 'poor'), GOSSAMER_MONTHLY_CREDITS: '3' })
})
afterAll(async () => {
  await server.stop()
  await poor.stop()
  folder.remove()
})

const sdk = () => new Firecrawl({ apiKey: 'fc-any', apiUrl: server.url })

type Answer = {
  status: number
  body: {
    success: boolean
    code?: string
    data: { markdown?: string; metadata: Record<string, unknown>; [field: string]: unknown }
  }
}
async function send(file: FileToSend, options: object = {}, { url } = server): Promise<Answer> {
  const response = await fetch(`${url}/v2/parse`, { method: 'POST', body: formOf(file, options) })
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

describe('the public service’s SDK', () => {
  it.each(files)('parses $filename', async ({ filename, contentType, bytes }, says) => {
    const document = await sdk().parse({ data: Buffer.from(bytes), filename, contentType }, { formats: ['markdown'] })
    expect(document).toMatchObject({
      markdown: expect.stringContaining(says),
      metadata: { statusCode: 200, sourceURL: filename, contentType },
    })
  })

  it('needs no options', async () => {
    const { bytes, filename } = await pdf(1)
    expect(await sdk().parse({ data: bytes, filename })).toMatchObject({
      markdown: expect.stringContaining('Chapter 1'),
      metadata: { contentType: 'application/pdf', numPages: 1 },
    })
  })

  it('chooses how a PDF is read', async () => {
    const { bytes, filename, contentType } = await pdf(3)
    const file = { data: bytes, filename, contentType }
    const first = await sdk().parse(file, { parsers: [{ type: 'pdf', mode: 'fast', maxPages: 2 }] })
    expect(first.markdown).toContain('Chapter 2')
    expect(first.markdown).not.toContain('Chapter 3')
    const whole = await sdk().parse(file, { parsers: [] })
    expect(Buffer.from(whole.markdown ?? '', 'base64')).toEqual(Buffer.from(bytes))
  })

  it('gets typed errors', async () => {
    const data = Buffer.from('000000206674797069736f6d00000200', 'hex')
    await expect(sdk().parse({ data, filename: 'a.mp4' })).rejects.toMatchObject({
      status: 500,
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
    })
  })
})

describe('a parsed file', () => {
  it('is described as a scraped page is', async () => {
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

  it('has its type by its name, or by its bytes, where none is sent', async () => {
    const { bytes } = await pdf(1)
    for (const filename of ['report.pdf', 'report', 'report.txt']) {
      const { body } = await send({ filename, contentType: '', bytes })
      expect(body.data, filename).toMatchObject({ markdown: expect.stringContaining('Chapter 1') })
    }
    const { body } = await send({ filename: 'report', contentType: 'application/octet-stream', bytes })
    expect(body.data.metadata).toMatchObject({ contentType: 'application/pdf', numPages: 1 })
  })

  it('can be read again by its id', async () => {
    const { body } = await send(csv)
    const again = await get(`/v2/scrape/${String(body.data.metadata['scrapeId'])}`)
    expect(again).toMatchObject({ success: true, data: { markdown: body.data.markdown, metadata: body.data.metadata } })
  })

  it('is listed by its name in the activity', async () => {
    const { body } = await send(csv)
    expect(await rowOf(body.data.metadata['scrapeId'])).toMatchObject({ endpoint: 'scrape', target: 'prices.csv' })
  })

  it('leaves nothing with zeroDataRetention', async () => {
    const { body } = await send(csv, { zeroDataRetention: true })
    const id = String(body.data.metadata['scrapeId'])
    expect(body.data.markdown).toContain('rope')
    expect(await rowOf(id)).toMatchObject({ target: null })
    expect(await get(`/v2/scrape/${id}`)).toMatchObject({ success: false, code: 'JOB_NOT_FOUND' })
  })

  it('may leave nothing only where the operator permits it', async () => {
    expect(await send(csv, { zeroDataRetention: true }, poor)).toMatchObject({
      status: 403,
      body: { code: 'PERMISSION_REQUIRED' },
    })
  })

  it('costs a credit, a PDF one a page, and a failure none', async () => {
    expect(await credits(csv)).toBe(1)
    expect(await credits(await pdf(3))).toBe(3)
    expect(await credits(await pdf(3), { parsers: [{ type: 'pdf', maxPages: 2 }] })).toBe(2)
    expect(await credits(await pdf(3), { parsers: [] })).toBe(1)
  })

  it('counts against the credits of the month', async () => {
    const broken = { filename: 'a.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.7') }
    expect(await send(broken, {}, poor)).toMatchObject({ status: 500 })
    expect(await send(await pdf(3), {}, poor)).toMatchObject({ status: 200 })
    expect(await send(csv, {}, poor)).toMatchObject({ status: 402, body: { code: 'INSUFFICIENT_CREDITS' } })
  })
})

describe('the formats of a file', () => {
  const selectors = [{ selector: 'a', attribute: 'href' }]
  const formats = ['markdown', 'html', 'rawHtml', 'links', 'images', { type: 'attributes', selectors }]

  it('are made of an HTML file as of a page', async () => {
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

  it('keep relative links of an HTML file as they are written', async () => {
    const { data } = (await send(html, { formats })).body
    expect(data.markdown).toContain('[knots](knots.html)')
    expect(data.markdown).toContain('[the end](#end)')
    expect(data.markdown).toContain('![A rope](img/rope.png)')
    expect(data['links']).toEqual(['https://example.com/home', 'https://example.com/hemp'])
    expect(data['images']).toEqual([])
    expect(JSON.stringify(data)).not.toContain('file:')
  })

  it('follow the base that an HTML file names', async () => {
    const based = page.replace('<head>', '<head><base href="https://example.com/docs/">')
    const { data } = (await send({ ...html, bytes: Buffer.from(based) }, { formats })).body
    expect(data.markdown).toContain('[knots](https://example.com/docs/knots.html)')
    expect(data['images']).toEqual(['https://example.com/docs/img/rope.png'])
  })

  it.each(files)('of $filename hold no address of a file', async (file) => {
    const { body } = await send(file, { formats })
    expect(JSON.stringify(body)).not.toMatch(/file:\/|localhost/)
    expect(body.data).toMatchObject({ html: expect.any(String), links: expect.any(Array), images: expect.any(Array) })
  })

  it('leave the raw HTML of a file empty that is no text', async () => {
    const { data } = (await send(await pdf(1), { formats: ['rawHtml', 'html'] })).body
    expect(data).toMatchObject({ rawHtml: '', html: expect.stringContaining('Chapter 1') })
  })
})

describe('a name', () => {
  it.each([
    ['a path', '../../etc/passwd.csv'],
    ['an address', 'https://example.com/a.csv'],
    ['with a percent sign', '100%.csv'],
    ['with signs of many scripts', 'größe 价格.csv'],
  ])('that is %s is a name and no more', async (_, filename) => {
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

  it('is refused as JSON', async () => {
    const response = await fetch(`${server.url}/v2/parse`, {
      method: 'POST',
      body: JSON.stringify({ file: { filename: 'a.csv', base64: base64Of({ bytes: large }) } }),
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', hint: expect.stringContaining('file') })
  })
})
