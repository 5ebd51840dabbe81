import { createHash } from 'node:crypto'
import type { CachedPage, PagePart, PageParts, PdfOptions } from '../../contracts/ports.ts'
import type { LiveParts } from '../../contracts/render.ts'
import type { ScrapeInput } from '../../schema/scrape/options.ts'
import { makerOf } from './formats/table.ts'
import type { Wanted } from './parse-page.ts'
import { type Plan, variantOf } from './plan.ts'

type LivePart = keyof LiveParts

/** What all formats of a call want of the page together, and under which names the cache keeps what is made for it. */
export type Wish = Wanted & {
  variant: string
  /** Parts that only a live page gives, and their name in the cache. */
  live: readonly LivePart[]
  liveVariant: string
  needsBody: boolean
}

type Options = Pick<ScrapeInput, 'formats' | 'parsers'>

export function wishOf(
  input: Options,
  content: Wanted['content'],
  stay?: Plan['stay'],
  further: readonly PagePart[] = [],
): Wish {
  const chosen = input.formats.flatMap((format) => makerOf(format) ?? [])
  const attributes = input.formats.flatMap((format) => (format.type === 'attributes' ? format.selectors : []))
  const pdf = pdfOptionsOf(input)
  const live = stay ? livePartsOf(stay) : []
  return {
    parts: [...new Set([...chosen.flatMap(({ needs }) => needs), 'metadata' as const, ...further])],
    attributes,
    content,
    pdf,
    variant: variantOf(content, [attributes, pdf]),
    live,
    liveVariant: live.length > 0 ? `live ${hashOf([stay?.screenshot, stay?.wantsBranding])}` : '',
    needsBody: chosen.some(({ needsBody }) => needsBody),
  }
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

const livePartsOf = ({ screenshot, wantsBranding, actions }: Plan['stay']): LivePart[] => [
  ...(screenshot ? (['screenshot'] as const) : []),
  ...(wantsBranding ? (['branding'] as const) : []),
  ...(actions.length > 0 ? (['actions'] as const) : []),
]

function pdfOptionsOf({ parsers }: Options): PdfOptions | undefined {
  const parser = parsers.find(({ type }) => type === 'pdf')
  return parser && { mode: parser.mode, maxPages: parser.maxPages }
}

/** What a cached page already has of a wish. */
export const knownParts = ({ made }: CachedPage, { variant, liveVariant }: Wish): PageParts => ({
  ...made[variant],
  ...made[liveVariant],
})

export const missingParts = (page: CachedPage, { parts, variant }: Wish): PagePart[] =>
  parts.filter((part) => !(part in (page.made[variant] ?? {})))

/** Whether a cached page can answer a wish: as it is, with its body, or not at all. */
export function fitOf(page: CachedPage, wish: Wish): 'as it is' | 'with its body' | 'not' {
  const known = knownParts(page, wish)
  if (wish.live.some((part) => !(part in known))) return 'not'
  return wish.needsBody || missingParts(page, wish).length > 0 ? 'with its body' : 'as it is'
}
