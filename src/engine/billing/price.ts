import type { FormatType } from '../../schema/scrape/formats.ts'

/** What decides the price of one scrape. */
export type PriceFacts = {
  formats: readonly FormatType[]
  lockdown: boolean
  /** Pages of a PDF that the parser turned into markdown. */
  pdfPages?: number
  /** True when the enhanced proxy is what brought the page. */
  enhancedProxy?: boolean
}

const extraCredits: Partial<Record<FormatType, number>> = { json: 4, question: 4, highlights: 4, audio: 4, video: 4 }
const lockdownHitCredits = 5
export const lockdownMissCredits = 1
const enhancedProxyCredits = 5

/** Credits of a scrape that brought a page. The list holds whether a model or a built-in made the answer. */
export function scrapeCredits({ formats, lockdown, pdfPages, enhancedProxy }: PriceFacts): number {
  if (lockdown) return lockdownHitCredits
  const base = enhancedProxy ? enhancedProxyCredits : (pdfPages ?? 1)
  return formats.reduce((sum, format) => sum + (extraCredits[format] ?? 0), base)
}

const searchPageSize = 10
const searchPageCredits = { usual: 2, zdr: 10 }

/** Credits of a search for each ten results begun, all sources together; what is scraped comes on top. */
export function searchCredits(results: number, modes: readonly string[] = []): number {
  const each = modes.includes('zdr') ? searchPageCredits.zdr : searchPageCredits.usual
  return Math.ceil(results / searchPageSize) * each
}

/** However many links it brings. */
export const mapCredits = 1

/** One credit is worth this many tokens in token-usage reports. */
export const tokensPerCredit = 15

const creditsAMinute = 2

/** Credits of a live browser, begun seconds counted whole; to the hundredth. */
export function sessionCredits(durationMs: number): number {
  const seconds = Math.ceil(Math.max(0, durationMs) / 1000)
  return Math.round((seconds / 60) * creditsAMinute * 100) / 100
}
