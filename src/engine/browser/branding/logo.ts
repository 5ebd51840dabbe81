import type { RawFacts } from '../../page-script/branding/facts.ts'
import type { RawLogo } from '../../page-script/branding/logos.ts'
import { PageError, type Tab } from '../page/tab.ts'
import { toHex } from './color.ts'
import { colorReader } from './samples.ts'

/** Pictures under this score may be anything. */
const enough = 5

/** Index of the picture that is most likely the logo: at the head of the page, leading home, called a logo. */
export function chooseLogo(candidates: readonly RawLogo[], siteName: string): number | undefined {
  const scored = candidates.map((logo, at) => ({ at, score: scoreOf(logo, siteName) }))
  const best = scored.toSorted((one, other) => other.score - one.score)[0]
  return best && best.score >= enough ? best.at : undefined
}

function scoreOf({ kind, box, hint, name, link, place }: RawLogo, siteName: string): number {
  const [left, top, width, height] = box
  const isNamed = siteName.length > 2 && `${name} ${hint}`.toLowerCase().includes(siteName.toLowerCase())
  const isLogo = /logo|wordmark|brand(?!ing)/i.test(hint)
  const isOfOthers =
    /partner|client|customer|sponsor|press|trusted|badge|avatar|flag|payment|social|search|menu|cart|close|hamburger|chevron|arrow/i.test(
      hint,
    )
  const isSmall = width <= 20 && height <= 20
  const isLarge = width > 600 || height > 240
  const parts: readonly (readonly [holds: boolean, points: number])[] = [
    [place === 'header', 3],
    [place === 'main', -3],
    [place === 'footer', -2],
    [link === 'home', 4],
    [isLogo, 3],
    [isNamed, 1],
    [top < 200, 1.5],
    [left < 400, 0.5],
    [kind === 'background' && !isLogo && link !== 'home', -3],
    [isOfOthers, -4],
    [isSmall, link === 'home' ? -0.5 : -3],
    [isLarge, -3],
  ]
  return parts.reduce((sum, [holds, points]) => (holds ? sum + points : sum), 0)
}

/** A logo that the page only tells of: in its structured data, or as the picture for home screens. */
export function toldLogo({ jsonLd, icons, url }: Pick<RawFacts, 'jsonLd' | 'icons' | 'url'>): string | undefined {
  const told = jsonLd.flatMap((text) => logosIn(parsed(text), 0)).find((href) => URL.canParse(href, url))
  const touch = icons.find(({ rel, href }) => rel.includes('apple-touch-icon') && href !== '')
  return told === undefined ? touch?.href : new URL(told, url).href
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `logo` of an organisation, a brand or a site: an address, or a picture with one (schema.org). */
function logosIn(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null || depth > 6) return []
  const fields = value as Record<string, unknown>
  const { logo } = fields
  const own = typeof logo === 'string' ? logo : addressIn(logo)
  const inner = Object.values(fields).flatMap((each) => logosIn(each, depth + 1))
  return own === undefined ? inner : [own, ...inner]
}

function addressIn(logo: unknown): string | undefined {
  if (typeof logo !== 'object' || logo === null) return undefined
  const { url, contentUrl } = logo as Record<string, unknown>
  return [url, contentUrl].find((address) => typeof address === 'string' && address.length <= 2000) as
    | string
    | undefined
}

type Looks = Pick<Tab, 'call'>

const maxCandidates = 40
/** A data URL of 40 kB: icons and pictures may be data URLs too. */
const maxSvgChars = 30_000
/** The logo stands twice in the result, which holds 50 kB of data URLs in all. */
const maxTwiceChars = 20_000

/** Whether it can stand in the result once more. */
export const fitsTwice = (logo: string): boolean => !logo.startsWith('data:') || logo.length <= maxTwiceChars

/**
 * The logo as an address, or as a data URL of at most 40 kB when it is drawn in the page. One that does not fit twice is
 * given by the address of a file, where the page tells of one.
 */
export async function readLogo(tab: Looks, facts: RawFacts, signal: AbortSignal): Promise<string | undefined> {
  const logo = await seenLogo(tab, facts, signal)
  if (logo === undefined || fitsTwice(logo)) return logo
  const told = toldLogo(facts)
  return told !== undefined && fitsTwice(told) ? told : logo
}

async function seenLogo(tab: Looks, facts: RawFacts, signal: AbortSignal): Promise<string | undefined> {
  try {
    const candidates = await tab.call('logoCandidates', [maxCandidates], signal)
    const at = chooseLogo(candidates, facts.siteName)
    const logo = at === undefined ? undefined : candidates[at]
    if (at === undefined || !logo) return toldLogo(facts)
    if (logo.kind !== 'svg') return logo.src
    const svg = await tab.call('svgOfLogo', [at, maxSvgChars], signal)
    return svg === undefined ? toldLogo(facts) : asDataUrl(await withPlainColors(tab, svg, signal))
  } catch (error) {
    // A page can be built so that its pictures cannot be read; the rest of its look can.
    if (error instanceof PageError) return toldLogo(facts)
    throw error
  }
}

const asDataUrl = (svg: string) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`

/** Few programs that show an svg know the colour spaces that style sheets know. */
async function withPlainColors(tab: Looks, svg: string, signal: AbortSignal): Promise<string> {
  const wide = /\b(?:color|oklch|oklab|lch|lab)\([^()"]*\)/g
  const colorOf = await colorReader(tab, svg.match(wide) ?? [], signal)
  return svg.replace(wide, (text) => {
    const color = colorOf(text)
    return color?.[3] === 1 ? toHex(color) : text
  })
}
