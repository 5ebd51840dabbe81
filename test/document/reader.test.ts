import { describe, expect, test } from 'vitest'
import type { ConvertTask } from '../../src/engine/document/file-pipe.ts'
import type { Converted } from '../../src/engine/document/converter.ts'
import { createDocumentReader } from '../../src/engine/document/document-reader.ts'
import { bytes, failureOf, fakeWorld } from '../helpers/fakes.ts'
import type { DocumentKind, DocumentRequest } from '../../src/contracts/page-content.ts'

const never = new AbortController().signal

const requestOf = (kind: DocumentKind, content: string | Uint8Array): DocumentRequest => ({
  teamId: 'red',
  kind,
  bytes: bytes(content),
  url: 'https://example.com/file',
  contentType: undefined,
  wanted: ['markdown', 'metadata'],
  attributes: [],
  onlyMainContent: true,
  includeTags: ['p'],
  excludeTags: [],
  removeBase64Images: true,
  pdf: { mode: 'fast', maxPages: 3 },
})

/** A reader whose child processes return this result, with a record of its requests. */
function readerOf(converted: Converted = { markdown: 'from a child' }) {
  const world = fakeWorld()
  const tasks: ConvertTask[] = []
  const read = createDocumentReader(world.ports, async () => ({
    convert: async (task) => {
      tasks.push(task)
      return converted
    },
    close: () => {},
  }))
  return { world, tasks, read: (request: DocumentRequest, signal = never) => read(request, signal) }
}

describe('conversion of a file', () => {
  test.each<[DocumentKind, string]>([
    ['text', 'words'],
    ['markdown', '# words'],
    ['csv', 'a,b\n1,2'],
    ['json', '{"a":1}'],
    ['feed', '<rss><channel><title>a</title></channel></rss>'],
  ])('a small file of kind %s is converted in this process', async (kind, content) => {
    const { tasks, read } = readerOf()
    expect(await read(requestOf(kind, content))).toMatchObject({ kind, markdown: expect.any(String) })
    expect(tasks).toEqual([])
  })

  test.each<[DocumentKind, string]>([
    ['text', 'a'.repeat(200_001)],
    ['image', 'a'.repeat(200_001)],
    ['pdf', '%PDF'],
    ['docx', 'PK'],
    ['rtf', '{\\rtf1}'],
    ['epub', 'PK'],
  ])('a file of kind %s, or of this size, is converted in a child process', async (kind, content) => {
    const { tasks, read } = readerOf()
    const request = requestOf(kind, content)
    expect(await read(request)).toMatchObject({ kind, markdown: 'from a child' })
    const { url, contentType, pdf } = request
    expect(tasks).toEqual([{ teamId: 'red', kind, source: { bytes: request.bytes, url, contentType, pdf } }])
  })
})

describe('parts of the result for a file', () => {
  test('converted to HTML are read completely by the HTML reader', async () => {
    const { world, read } = readerOf({ html: '<p>words</p>' })
    const request = requestOf('docx', 'PK')
    const metadata = { title: 'A title' }
    expect(await read(request)).toEqual({ kind: 'docx', markdown: 'Hello', metadata })
    const { kind: _kind, bytes: _bytes, contentType: _type, pdf: _pdf, ...rest } = request
    expect(world.read).toEqual([{ ...rest, html: '<p>words</p>', onlyMainContent: false }])
  })

  test.each([
    [{ pages: true }, ['markdown'], { markdown: 'Hello', pages: 2 }],
    [{ pageMarkers: true }, ['markdown'], { markdown: 'Hello\n\n---\n\n<!-- page 3 -->\n\nHello', pages: undefined }],
    [{ pages: true, pageMarkers: true }, ['links'], { markdown: undefined, pages: 2 }],
  ] as const)('of a PDF has pages as requested by %j, with the parts %j', async (options, wanted, expected) => {
    const pages = [1, 3].map((number) => ({ number, html: `<p>${number}</p>` }))
    const { read } = readerOf({ html: '<p>1 3</p>', pages })
    const made = await read({ ...requestOf('pdf', ''), wanted, pdf: { mode: 'auto', ...options } })
    expect({ markdown: made.markdown, pages: made.pages?.length }).toEqual(expected)
  })

  test('converted to text need no HTML reader, and the html part shows the text unchanged', async () => {
    const { world, read } = readerOf({ markdown: 'a < b & c > d' })
    expect(await read({ ...requestOf('pdf', ''), wanted: ['markdown', 'html'] })).toEqual({
      kind: 'pdf',
      markdown: 'a < b & c > d',
      html: '<pre>a &lt; b &amp; c &gt; d</pre>',
      links: [],
      anchors: [],
      images: [],
      attributes: [],
      metadata: {},
    })
    expect(world.read).toEqual([])
  })

  test('include metadata of the file, which outranks metadata of the HTML', async () => {
    const { read } = readerOf({ html: '', metadata: { title: 'Of the file', author: 'Ann' } })
    expect(await read(requestOf('docx', ''))).toMatchObject({ metadata: { title: 'Of the file', author: 'Ann' } })
  })

  test('never need a browser', async () => {
    const read = createDocumentReader({ readHtml: async () => ({ markdown: '', needsBrowser: true }) }, async () => ({
      convert: async () => ({ html: '<p></p>' }),
      close: () => {},
    }))
    expect(await read(requestOf('docx', ''), never)).toEqual({ kind: 'docx', markdown: '' })
  })
})

test('a file is not converted after the call was aborted', async () => {
  const reason = new Error('enough')
  const { world, read } = readerOf({ html: '' })
  expect(await failureOf(read(requestOf('csv', 'a,b'), AbortSignal.abort(reason)))).toBe(reason)
  expect(world.read).toEqual([])
})
