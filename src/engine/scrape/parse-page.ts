import type { PageResponse } from '../../contracts/fetch.ts'
import type {
  AttributeQuery,
  ContentOptions,
  DocumentKind,
  PagePart,
  PageParts,
  PdfOptions,
  Ports,
} from '../../contracts/ports.ts'
import { fail } from '../../kernel/error.ts'
import { kindOf } from '../document/kind.ts'
import { mediaFile } from '../html/media/media-file.ts'
import { decodeText } from '../net/charset/charset.ts'

export type Wanted = {
  parts: readonly PagePart[]
  attributes: readonly AttributeQuery[]
  content: ContentOptions
  /** How PDFs are read; undefined leaves them as they are, in base64. */
  pdf: PdfOptions | undefined
}

const nothing = {
  markdown: '',
  html: '',
  links: [],
  anchors: [],
  images: [],
  attributes: [],
  metadata: {},
  media: {},
  product: null,
} satisfies PageParts

/** Makes the wanted parts of a page. HTML is parsed once for all of them; files of other kinds are converted first. */
export async function readPage(
  ports: Pick<Ports, 'readHtml' | 'readDocument'>,
  page: PageResponse,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<PageParts> {
  const { body: bytes, url } = page
  const contentType = page.headers['content-type']
  const kind = kindOf(contentType, bytes, url)
  const { parts, attributes, content, pdf } = wanted
  if (kind === 'html') {
    const { text: html } = decodeText(bytes, contentType)
    return ports.readHtml({ ...content, html, url, wanted: parts, attributes }, signal)
  }
  // An error of the site is an answer, not a failure, also where its page is a picture.
  if (page.status >= 400 && !isText(kind)) return nothing
  if (kind === 'binary') return (parts.includes('media') && mediaItself(url, contentType)) || refuse(bytes)
  if (kind === 'pdf' && !pdf) return { ...nothing, markdown: base64Of(bytes) }
  const options = pdf ?? { mode: 'auto' }
  return ports.readDocument(
    { ...content, kind, bytes, url, contentType, wanted: parts, attributes, pdf: options },
    signal,
  )
}

/** What is sound or film is not read; that it is there is the answer. */
function mediaItself(url: string, contentType: string | undefined): PageParts | undefined {
  const { kind, isPlaylist } = mediaFile(url, contentType)
  // A playlist does not say what it plays, and most play films.
  return kind || isPlaylist ? { ...nothing, product: null, media: { [kind ?? 'video']: url } } : undefined
}

/** The page as its site sent it, decoded to text; empty for a file that is none, whose bytes would be noise. */
export function rawText({ body, headers, url }: Pick<PageResponse, 'body' | 'headers' | 'url'>): string {
  const contentType = headers['content-type']
  const kind = kindOf(contentType, body, url)
  return kind === 'html' || isText(kind) ? decodeText(body, contentType).text : ''
}

const textKinds = new Set<string>(['text', 'markdown', 'json', 'ndjson', 'xml', 'feed', 'csv', 'code'])
const isText = (kind: DocumentKind | 'binary') => textKinds.has(kind)

const base64Of = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

/** Without its Content-Type: that is the site's text, and a message is read as ours. */
async function refuse(bytes: Uint8Array): Promise<never> {
  const { refuseLegacy } = await import('../document/xml/refuse-legacy.ts')
  refuseLegacy(bytes)
  return fail('SCRAPE_UNSUPPORTED_FILE_ERROR', { details: { kind: 'binary' } })
}
