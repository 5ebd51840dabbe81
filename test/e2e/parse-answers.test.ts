import { describe, expect, it } from 'vitest'
import { sharedServer } from '../helpers/shared-server.ts'
import { filesToSend, formOf, page, type FileToSend } from './parse-files.ts'
import { forAll, leftOpen } from '../helpers/for-all.ts'

const files = await filesToSend()

const server = forAll(sharedServer, leftOpen)

type Answer = { data: { markdown?: string; metadata: Record<string, unknown>; [field: string]: unknown } }
async function send(file: FileToSend, options: object = {}): Promise<Answer['data']> {
  const response = await fetch(`${server.url}/v2/parse`, { method: 'POST', body: formOf(file, options) })
  return ((await response.json()) as Answer).data
}
const html: FileToSend = { filename: 'page.html', contentType: 'text/html', bytes: Buffer.from(page) }

describe('the formats of a file', () => {
  const selectors = [{ selector: 'a', attribute: 'href' }]
  const formats = ['markdown', 'html', 'rawHtml', 'links', 'images', { type: 'attributes', selectors }]

  it('are the same for an HTML file as for a page', async () => {
    const data = await send(html, { formats })
    expect(data).toMatchObject({
      html: expect.stringContaining('<h1>Ropes</h1>'),
      rawHtml: page,
      metadata: { title: 'Ropes', language: 'en' },
    })
    expect(data.markdown).not.toContain('Home')
    expect((await send(html, { onlyMainContent: false })).markdown).toContain('Home')
    expect((await send(html, { includeTags: ['h1'] })).markdown).toBe('# Ropes')
  })

  it('keep relative links of an HTML file unchanged', async () => {
    const data = await send(html, { formats })
    expect(data.markdown).toContain('[knots](knots.html)')
    expect(data.markdown).toContain('[the end](#end)')
    expect(data.markdown).toContain('![A rope](img/rope.png)')
    expect(data['links']).toEqual(['https://example.com/home', 'https://example.com/hemp'])
    expect(data['images']).toEqual([])
    expect(JSON.stringify(data)).not.toContain('file:')
  })

  it.each(files)('contain no URL of the file: $filename', async (file) => {
    const data = await send(file, { formats })
    expect(JSON.stringify(data)).not.toMatch(/file:\/|localhost/)
    expect(data).toMatchObject({ html: expect.any(String), links: expect.any(Array), images: expect.any(Array) })
  })
})
