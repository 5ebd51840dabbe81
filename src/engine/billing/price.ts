import { type FormatType, formatTraits } from '../../schema/scrape/formats.ts'

/** Facts that determine the price of one scrape. */
export type PriceFacts = {
  formats: readonly FormatType[]
  lockdown: boolean
  /** Number of PDF pages that the parser converted to markdown. */
  pdfPages?: number
  /** True if the page was fetched over the enhanced proxy. */
  enhancedProxy?: boolean
}

const lockdownHitCredits = 5
export const lockdownMissCredits = 1
const enhancedProxyCredits = 5

/** Returns the credits of a scrape that returned a page. A format costs the same with or without a model. */
export function scrapeCredits({ formats, lockdown, pdfPages, enhancedProxy }: PriceFacts): number {
  if (lockdown) return lockdownHitCredits
  const base = enhancedProxy ? enhancedProxyCredits : (pdfPages ?? 1)
  return formats.reduce((sum, format) => sum + formatTraits[format].credits, base)
}

/** Returns the minimum credits of a successful scrape with these options; a PDF of many pages costs more. */
export const minScrapeCredits = (options: {
  formats: readonly { type: FormatType }[]
  lockdown: boolean
  proxy?: string | undefined
}): number =>
  scrapeCredits({
    formats: options.formats.map(({ type }) => type),
    lockdown: options.lockdown,
    enhancedProxy: options.proxy === 'enhanced',
  })

const searchPageSize = 10
const searchPageCredits = { usual: 2, zdr: 10 }

/** Returns the credits of a search: per ten results or part thereof, over all sources; scraped results cost extra. */
export function searchCredits(results: number, modes: readonly string[] = []): number {
  const each = modes.includes('zdr') ? searchPageCredits.zdr : searchPageCredits.usual
  return Math.ceil(results / searchPageSize) * each
}

/** Credits of a map, for any number of links. */
export const mapCredits = 1

/** Tokens per credit in token-usage reports. */
export const tokensPerCredit = 15

const creditsAMinute = 2

/** Returns the credits of a live browser: its time is rounded up to whole seconds, the credits to hundredths. */
export function sessionCredits(durationMs: number): number {
  const seconds = Math.ceil(Math.max(0, durationMs) / 1000)
  return Math.round((seconds / 60) * creditsAMinute * 100) / 100
}
