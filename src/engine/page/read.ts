import { fail } from '../../core/error.ts'
import type { AttributeQuery, ContentOptions, PagePart, PageParts, PageResponse, Ports } from '../../core/ports.ts'
import { decodeText } from '../net/charset.ts'
import { kindOf } from '../net/media-type.ts'

export type Wanted = {
  parts: readonly PagePart[]
  attributes: readonly AttributeQuery[]
  content: ContentOptions
  parsesPdf: boolean
}

const nothing: Required<PageParts> = { markdown: '', html: '', links: [], images: [], attributes: [], metadata: {} }

/** Makes the wanted parts of a page. HTML is parsed once for all of them; other kinds of text become markdown as they are. */
export async function readPage(
  ports: Pick<Ports, 'readHtml'>,
  page: PageResponse,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<PageParts> {
  const { body } = page
  const contentType = page.headers['content-type']
  const kind = kindOf(contentType, body, page.url)
  // An error of the site is an answer, not a failure, also where its page is a picture.
  if (page.status >= 400 && (kind === 'pdf' || kind === 'binary')) return nothing
  if (kind === 'pdf') return readPdf(body, wanted)
  // Without its Content-Type: that is the site's text, and a message is read as ours.
  if (kind === 'binary') fail('SCRAPE_UNSUPPORTED_FILE_ERROR')
  const { text } = decodeText(body, contentType)
  if (kind === 'html')
    return ports.readHtml(
      { ...wanted.content, html: text, url: page.url, wanted: wanted.parts, attributes: wanted.attributes },
      signal,
    )
  return { ...nothing, markdown: kind === 'json' || kind === 'xml' ? fenced(text, kind) : text, html: text }
}

/** The page as its site sent it, decoded to text. */
export function rawText({ body, headers }: Pick<PageResponse, 'body' | 'headers'>): string {
  return decodeText(body, headers['content-type']).text
}

function readPdf(body: Uint8Array, { parsesPdf }: Wanted): PageParts {
  if (parsesPdf)
    fail('SCRAPE_UNSUPPORTED_FILE_ERROR', {
      message: 'The URL leads to a PDF, which this version cannot turn into markdown.',
      hint: 'Send parsers: [] to get the file as base64.',
    })
  return { ...nothing, markdown: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64') }
}

/** A code fence longer than any run of backticks inside. */
function fenced(text: string, language: string): string {
  const longest = [...text.matchAll(/`{3,}/g)].reduce((length, [run]) => Math.max(length, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}\n`
}
