import type { RawFacts, RawLogo } from '../../page-script/branding/logos.ts'
import { isRecord, parseJson } from '../../../util/json.ts'
import type { Tab } from '../page/tab.ts'
import { PageError } from '../world/isolated-world.ts'
import { toHex } from './color.ts'
import { colorReader } from './samples.ts'

/** Minimum score of a logo; images below it could be anything. */
const minScore = 5

/** Returns the index of the most likely logo, such as an image in the header that links to the home page. */
export function chooseLogo(candidates: readonly RawLogo[], siteName: string): number | undefined {
  const scored = candidates.map((logo, at) => ({ at, score: scoreOf(logo, siteName) }))
  const best = scored.toSorted((one, other) => other.score - one.score)[0]
  return best && best.score >= minScore ? best.at : undefined
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

/** Returns a logo that the page only declares, in its structured data or as its home screen icon. */
export function declaredLogo({ jsonLd, icons, url }: Pick<RawFacts, 'jsonLd' | 'icons' | 'url'>): string | undefined {
  const declared = jsonLd.flatMap((text) => logosIn(parseJson(text), 0)).find((href) => URL.canParse(href, url))
  const touch = icons.find(({ rel, href }) => rel.includes('apple-touch-icon') && href !== '')
  return declared === undefined ? touch?.href : new URL(declared, url).href
}

/** Collects `logo` of an organisation, brand or site: a URL, or an image with a URL (schema.org). */
function logosIn(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null || depth > 6) return []
  const logo = 'logo' in value ? value.logo : undefined
  const own = typeof logo === 'string' ? logo : urlIn(logo)
  const inner = Object.values(value).flatMap((each) => logosIn(each, depth + 1))
  return own === undefined ? inner : [own, ...inner]
}

function urlIn(logo: unknown): string | undefined {
  if (!isRecord(logo)) return undefined
  return [logo['url'], logo['contentUrl']].find((url): url is string => typeof url === 'string' && url.length <= 2000)
}

type PageCalls = Pick<Tab, 'call'>

const maxCandidates = 40
/** An SVG of this length is a data URL of 40 kB, the limit for images that are data URLs in the page. */
const maxSvgChars = 30_000
/** Maximum length of a data URL to return twice: a result has the logo twice, and at most 50 kB of data URLs. */
const maxTwiceChars = 20_000

export const fitsInResultTwice = (logo: string): boolean => !logo.startsWith('data:') || logo.length <= maxTwiceChars

/**
 * Returns the logo as a URL, or as a data URL of 40 kB at most. One that is too large to be returned twice is replaced
 * by the logo file that the page declares, if that file is small enough.
 */
export async function readLogo(tab: PageCalls, facts: RawFacts, signal: AbortSignal): Promise<string | undefined> {
  const logo = await renderedLogo(tab, facts, signal)
  if (logo === undefined || fitsInResultTwice(logo)) return logo
  const declared = declaredLogo(facts)
  return declared !== undefined && fitsInResultTwice(declared) ? declared : logo
}

async function renderedLogo(tab: PageCalls, facts: RawFacts, signal: AbortSignal): Promise<string | undefined> {
  try {
    const candidates = await tab.call('logoCandidates', [maxCandidates], signal)
    const at = chooseLogo(candidates, facts.siteName)
    const logo = at === undefined ? undefined : candidates[at]
    if (at === undefined || !logo) return declaredLogo(facts)
    if (logo.kind !== 'svg') return logo.src
    const svg = await tab.call('svgOfLogo', [at, maxSvgChars], signal)
    return svg === undefined ? declaredLogo(facts) : asDataUrl(await withPlainColors(tab, svg, signal))
  } catch (error) {
    // A page may prevent reading its images; the rest of its design is still readable.
    if (error instanceof PageError) return declaredLogo(facts)
    throw error
  }
}

const asDataUrl = (svg: string) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`

/** Most SVG viewers do not support the colour spaces of CSS Color 4. */
async function withPlainColors(tab: PageCalls, svg: string, signal: AbortSignal): Promise<string> {
  const wide = /\b(?:color|oklch|oklab|lch|lab)\([^()"]*\)/g
  const colorOf = await colorReader(tab, svg.match(wide) ?? [], signal)
  return svg.replace(wide, (text) => {
    const color = colorOf(text)
    return color?.[3] === 1 ? toHex(color) : text
  })
}
