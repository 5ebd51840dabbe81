import { createHash } from 'node:crypto'
import type { LiveParts, RenderOptions } from '../../contracts/render-port.ts'
import type { ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { makerOf } from './formats/table.ts'
import type { ReadOptions } from './parse-page.ts'
import type { PageContent, PagePart, PdfOptions } from '../../contracts/page-content.ts'
import type { CachedPage } from '../../contracts/stored-pages.ts'

type LivePart = keyof LiveParts

/** What the formats of a call need of a page, and the names under which the cache keeps what is made with these options. */
export type ContentRequest = ReadOptions & {
  variant: string
  /** Parts that only a browser gives, and their name in the cache. */
  live: readonly LivePart[]
  liveVariant: string
  needsBody: boolean
}

type ContentInput = Pick<ScrapeInput, 'formats' | 'parsers' | 'onlyMainContent' | 'removeBase64Images'> &
  Partial<Pick<ScrapeInput, 'includeTags' | 'excludeTags' | 'blockAds' | 'removeSmallImages'>>
/** What a call needs besides its formats. */
export type ContentNeeds = {
  /** Absent for a file, which no browser opens. */
  render?: RenderOptions | undefined
  parts?: readonly PagePart[] | undefined
}

export function requestContent(input: ContentInput, { render, parts = [] }: ContentNeeds = {}): ContentRequest {
  const { formats, onlyMainContent, includeTags = [], excludeTags = [], removeBase64Images } = input
  const { removeSmallImages = true, blockAds = true } = input
  const makers = formats.map(makerOf)
  const attributes = formats.flatMap((format) => (format.type === 'attributes' ? format.selectors : []))
  const options = { onlyMainContent, includeTags, excludeTags, removeBase64Images, removeSmallImages, blockAds }
  const pdf = pdfOptionsOf(input)
  const live = render ? livePartsOf(render) : []
  return {
    parts: [...new Set([...makers.flatMap(({ needs }) => needs), 'metadata' as const, ...parts])],
    attributes,
    options,
    pdf,
    variant: hashOf([options, [attributes, pdf]]),
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

function pdfOptionsOf({ parsers }: ContentInput): PdfOptions | undefined {
  const parser = parsers.find(({ type }) => type === 'pdf')
  return parser && { mode: parser.mode, maxPages: parser.maxPages }
}

/** What the cache has of the content that is asked for. */
export const cachedContent = ({ made }: CachedPage, { variant, liveVariant }: ContentRequest): PageContent => ({
  ...made[variant],
  ...made[liveVariant],
})

export const missingParts = (page: CachedPage, { parts, variant }: ContentRequest): PagePart[] =>
  parts.filter((part) => !(part in (page.made[variant] ?? {})))

/** Whether a cached page will do: as it is, with its body, or not at all. */
export function matchCached(page: CachedPage, request: ContentRequest): 'as it is' | 'with its body' | 'not' {
  const known = cachedContent(page, request)
  if (request.live.some((part) => !(part in known))) return 'not'
  return request.needsBody || missingParts(page, request).length > 0 ? 'with its body' : 'as it is'
}
