import { type FormatType, formatTraits } from '../../schema/scrape/formats.ts'

/** What decides the price of one scrape. */
export type PriceFacts = {
  formats: readonly FormatType[]
  lockdown: boolean
  /** Pages of a PDF that the parser turned into markdown. */
  pdfPages?: number
  /** Whether the page came over the enhanced proxy. */
  enhancedProxy?: boolean
}

const lockdownHitCredits = 5
export const lockdownMissCredits = 1
const enhancedProxyCredits = 5

/** Credits of a scrape that brought a page. A format costs the same whether a model or built-in code makes it. */
export function scrapeCredits({ formats, lockdown, pdfPages, enhancedProxy }: PriceFacts): number {
  if (lockdown) return lockdownHitCredits
  const base = enhancedProxy ? enhancedProxyCredits : (pdfPages ?? 1)
  return formats.reduce((sum, format) => sum + formatTraits[format].credits, base)
}

/** What a scrape that works costs at least, as far as its options tell; a PDF of many pages costs more. */
export const leastScrapeCredits = ({
  formats,
  lockdown,
  proxy,
}: {
  formats: readonly { type: FormatType }[]
  lockdown: boolean
  proxy?: string | undefined
}): number => scrapeCredits({ formats: formats.map(({ type }) => type), lockdown, enhancedProxy: proxy === 'enhanced' })

const searchPageSize = 10
const searchPageCredits = { usual: 2, zdr: 10 }

/** Credits of a search, charged per ten results or part thereof, all sources together; scraped results cost extra. */
export function searchCredits(results: number, modes: readonly string[] = []): number {
  const each = modes.includes('zdr') ? searchPageCredits.zdr : searchPageCredits.usual
  return Math.ceil(results / searchPageSize) * each
}

/** Credits of a map, however many links it finds. */
export const mapCredits = 1

/** One credit is worth this many tokens in token-usage reports. */
export const tokensPerCredit = 15

const creditsAMinute = 2

/** Credits of a live browser, by whole seconds rounded up; to the hundredth. */
export function sessionCredits(durationMs: number): number {
  const seconds = Math.ceil(Math.max(0, durationMs) / 1000)
  return Math.round((seconds / 60) * creditsAMinute * 100) / 100
}
