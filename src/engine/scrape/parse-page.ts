import type { PageResponse } from '../../contracts/fetch.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import { letGo } from '../../util/file-bytes.ts'
import { kindOf } from '../document/kind.ts'
import { isTextKind } from '../document/media-types.ts'
import { mediaFile } from '../html/media/media-file.ts'
import { decodeText } from '../net/charset/charset.ts'
import { garbledText } from '../net/charset/garbled.ts'
import type { AttributeQuery, ContentOptions, PageContent, PagePart, PdfOptions } from '../../contracts/page-content.ts'

/** Which parts of a page are made, and how. */
export type ReadOptions = {
  parts: readonly PagePart[]
  attributes: readonly AttributeQuery[]
  options: ContentOptions
  /** How PDFs are read; undefined returns them in base64. */
  pdf: PdfOptions | undefined
  /** Nobody needs the body once it has been read: its memory is let go. */
  isGivenUp?: boolean
}

const emptyContent = {
  markdown: '',
  html: '',
  links: [],
  anchors: [],
  images: [],
  attributes: [],
  metadata: {},
  media: {},
  product: null,
} satisfies PageContent

/** Makes the requested parts of a page. HTML is parsed once for all of them; other kinds of files are converted first. */
export async function readPage(
  ports: Pick<Ports, 'readHtml' | 'readDocument'>,
  page: PageResponse,
  request: ReadOptions,
  { team, signal }: Pick<Ctx, 'team' | 'signal'>,
): Promise<PageContent> {
  const teamId = team.id
  const { body: bytes, url } = page
  const contentType = page.headers['content-type']
  const kind = kindOf(contentType, bytes, url)
  const { parts, attributes, options, pdf, isGivenUp } = request
  if (kind === 'html') {
    const { text: html, charset } = decodeText(bytes, contentType)
    if (isGivenUp) letGo(bytes)
    const read = await ports.readHtml({ ...options, teamId, html, url, charset, wanted: parts, attributes }, signal)
    const warning = [garbledText(html), read.warning].filter((each) => each !== undefined).join(' ')
    return warning === '' ? read : { ...read, warning }
  }
  // An HTTP error is a result, not a failure, even when its page is an image.
  if (page.status >= 400 && !isTextKind(kind)) return emptyContent
  if (kind === 'binary') return (parts.includes('media') && mediaFileContent(url, contentType)) || refuse(bytes)
  if (kind === 'pdf' && !pdf) return { ...emptyContent, markdown: base64Of(bytes) }
  return ports.readDocument(
    {
      ...options,
      teamId,
      kind,
      bytes,
      isGivenUp,
      url,
      contentType,
      wanted: parts,
      attributes,
      pdf: pdf ?? { mode: 'auto' },
    },
    signal,
  )
}

/** Audio and video files are not read: their own URL is the result. */
function mediaFileContent(url: string, contentType: string | undefined): PageContent | undefined {
  const { kind, isPlaylist } = mediaFile(url, contentType)
  // A playlist does not say what it plays; most play video.
  return kind || isPlaylist ? { ...emptyContent, media: { [kind ?? 'video']: url } } : undefined
}

/** The body decoded to text; empty for binary files. */
export function rawText({ body, headers, url }: Pick<PageResponse, 'body' | 'headers' | 'url'>): string {
  const contentType = headers['content-type']
  const kind = kindOf(contentType, body, url)
  return isTextKind(kind) ? decodeText(body, contentType).text : ''
}

const base64Of = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

/** The message leaves out the Content-Type, which is text of the site. */
async function refuse(bytes: Uint8Array): Promise<never> {
  const { refuseLegacy } = await import('../document/refuse.ts')
  refuseLegacy(bytes)
  return fail('SCRAPE_UNSUPPORTED_FILE_ERROR', { details: { kind: 'binary' } })
}
