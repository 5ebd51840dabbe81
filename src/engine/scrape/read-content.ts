import { createHash } from 'node:crypto'
import type { LiveParts, RenderOptions } from '../../contracts/render-port.ts'
import type { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { makerOf } from './formats/format-table.ts'
import type { PageContent, PagePart, PdfOptions, AttributeQuery, ContentOptions } from '../../contracts/page-content.ts'
import type { PageResponse } from '../../contracts/fetch.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import { releaseBuffer } from '../../util/file-bytes.ts'
import { kindOf } from '../document/kind.ts'
import { isTextKind } from '../document/media-types.ts'
import { mediaFile } from '../html/page/media-file.ts'
import { decodeText, garbledText } from '../net/charset.ts'

/** Parts of a page to create, and options. */
type ReadOptions = {
  parts: readonly PagePart[]
  attributes: readonly AttributeQuery[]
  options: ContentOptions
  /** PDF options; undefined returns PDFs as base64. */
  pdf: PdfOptions | undefined
  hasImageParser?: boolean
  /** True if the body is not needed after parsing, so its memory is released. */
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

/** Creates the requested parts of a page. HTML is parsed once for all parts; other files are converted first. */
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
  const { parts, attributes, options, pdf, hasImageParser, isGivenUp } = request
  if (kind === 'html') {
    const { text: html, charset } = decodeText(bytes, contentType)
    if (isGivenUp) releaseBuffer(bytes)
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
      hasImageParser,
    },
    signal,
  )
}

/** Audio and video files are not parsed: their own URL is the result. */
function mediaFileContent(url: string, contentType: string | undefined): PageContent | undefined {
  const { kind, isPlaylist } = mediaFile(url, contentType)
  // The type of a playlist is unknown; most contain video.
  return kind || isPlaylist ? { ...emptyContent, media: { [kind ?? 'video']: url } } : undefined
}

/** Returns the body decoded to text; empty for binary files. */
export function rawText({ body, headers, url }: Pick<PageResponse, 'body' | 'headers' | 'url'>): string {
  const contentType = headers['content-type']
  const kind = kindOf(contentType, body, url)
  return isTextKind(kind) ? decodeText(body, contentType).text : ''
}

const base64Of = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

/** Refuses a binary file. The message excludes the Content-Type, which is untrusted text of the site. */
async function refuse(bytes: Uint8Array): Promise<never> {
  const { refuseLegacy } = await import('../document/refuse.ts')
  refuseLegacy(bytes)
  return fail('SCRAPE_UNSUPPORTED_FILE_ERROR', { details: { kind: 'binary' } })
}

type LivePart = keyof LiveParts

/** Content that a call's formats need, and the cache names for content created with these options. */
export type ContentRequest = ReadOptions & {
  variant: string
  /** Parts that only a browser provides, and their cache name. */
  live: readonly LivePart[]
  liveVariant: string
  needsBody: boolean
}

type ContentInput = Pick<ScrapeInput, 'formats' | 'parsers' | 'onlyMainContent' | 'removeBase64Images'> &
  Partial<Pick<ScrapeInput, 'includeTags' | 'excludeTags' | 'blockAds' | 'removeSmallImages'>>
/** Content needed in addition to the formats. */
export type ContentNeeds = {
  /** Undefined for a file, which no browser opens. */
  render?: RenderOptions | undefined
  parts?: readonly PagePart[] | undefined
}

export function requestContent(input: ContentInput, { render, parts = [] }: ContentNeeds = {}): ContentRequest {
  const { formats, onlyMainContent, includeTags = [], excludeTags = [], removeBase64Images } = input
  const { removeSmallImages = true, blockAds = true } = input
  const makers = formats.map(makerOf)
  const attributes = formats.flatMap((format) => (format.type === 'attributes' ? format.selectors : []))
  const options = { onlyMainContent, includeTags, excludeTags, removeBase64Images, removeSmallImages, blockAds }
  const pdf = input.parsers.find((parser) => parser.type === 'pdf')
  const hasImageParser = input.parsers.some(({ type }) => type === 'image')
  const live = render ? livePartsOf(render) : []
  return {
    parts: [...new Set([...makers.flatMap(({ needs }) => needs), 'metadata' as const, ...parts])],
    attributes,
    options,
    pdf,
    hasImageParser,
    variant: hashOf([options, [attributes, pdf, hasImageParser]]),
    live,
    liveVariant: live.length > 0 ? `live ${hashOf([render?.screenshot, render?.wantsBranding])}` : '',
    needsBody: makers.some(({ needsBody }) => needsBody),
  }
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

const livePartsOf = ({ screenshot, wantsBranding, actions }: RenderOptions): LivePart[] => [
  ...(screenshot ? (['screenshot'] as const) : []),
  ...(wantsBranding ? (['branding'] as const) : []),
  ...(actions.length > 0 ? (['actions'] as const) : []),
]
