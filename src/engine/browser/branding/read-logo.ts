import { toHex } from './color.ts'
import { chooseLogo, toldLogo } from './logo.ts'
import { colorReader } from './read-colors.ts'
import type { RawFacts } from '../in-page/branding-facts.ts'
import { logoCandidates } from '../in-page/branding-logos.ts'
import { svgOfLogo } from '../in-page/branding-svg.ts'
import { PageError, type Tab } from '../tab.ts'

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
    const candidates = await tab.call(logoCandidates, [maxCandidates], signal)
    const at = chooseLogo(candidates, facts.siteName)
    const logo = at === undefined ? undefined : candidates[at]
    if (at === undefined || !logo) return toldLogo(facts)
    if (logo.kind !== 'svg') return logo.src
    const svg = await tab.call(svgOfLogo, [at, maxSvgChars], signal)
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
