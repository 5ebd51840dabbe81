import type { z } from 'zod'
import type { Offered, Part, Presentation } from '../../kernel/operation.ts'
import type { Document } from '../../schema/scrape/document.ts'
import type { SearchData } from '../../schema/search-schema.ts'
import type { CreditBalance, CreditDay, CreditPeriod, TokenBalance, TokenPeriod } from '../../schema/team.ts'
import { sanitiseText } from '../../util/sanitise-text.ts'

/** Our own lines, outside the block that marks text from others. */
export const ownWords = (...lines: readonly string[]): Part => ({ kind: 'text', text: lines.join('\n') })

/** File names, titles and URLs are chosen by others. */
export const listOfTeam = (label: string, text: string): Part => ({
  kind: 'page',
  label,
  origin: 'jobs of the team',
  text,
})

/** A number with its noun, such as `1 credit` or `1,500 credits`. */
export const counted = (value: number, noun: string) =>
  `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`

export const minuteOf = (iso: string) => iso.slice(0, 16).replace('T', ' ')

/**
 * Splits URLs into a common base and the rest of each, on one line. `base` ends before a slash; it is empty for a
 * single URL or URLs of different sites.
 */
export function splitUrls(urls: readonly string[]): { base: string; rests: readonly string[] } {
  const base = urls.length < 2 ? '' : commonBase(urls)
  return { base, rests: urls.map((url) => oneLine(url.slice(base.length))) }
}

function commonBase([first = '', ...others]: readonly string[]): string {
  let base = first.replace(/[?#].*/, '')
  for (const url of others) while (!url.startsWith(base)) base = base.slice(0, sharedLength(base, url))
  return base.slice(0, siteEnd(base) < 0 ? 0 : Math.max(0, base.lastIndexOf('/')))
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

/** End of the site's name, marked by the slash that follows; -1 if it is incomplete. */
const siteEnd = (url: string): number => url.indexOf('/', url.indexOf('://') + 3)

/** A table: the first line names the columns; cells contain no line breaks. */
export function tableOf(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [columns, ...rows].map((cells) => cells.join(' | ')).join('\n')
}

/** The text on one line, with at most `max` characters. */
export function shortened(text: string, max = 200): string {
  const line = oneLine(text)
  return line.length > max ? `${line.slice(0, max)}…` : line
}

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Separators between the title of a page and the name of its site. */
const sign = /[·|•–—-]/
/** Maximum length of a site name. Titles can be of any length, so only this much of each is examined. */
const maxEnding = 100

/** Titles without the site's name, if most of them share the same ending. */
export function withoutSiteName(titles: readonly string[]): readonly string[] {
  const endings = Map.groupBy(titles, endingOf)
  const [common] = [...endings].find(([text, all]) => text !== undefined && isMost(all.length, titles.length)) ?? []
  if (common === undefined) return titles
  return titles.map((title) => (title.endsWith(common) ? title.slice(0, -common.length) : title))
}

/** A title without its last separator and the text after it, which usually is the site's name. */
export const withoutEnding = (title: string): string => title.slice(0, title.length - (endingOf(title)?.length ?? 0))

/** The last separator surrounded by spaces, and the text after it. */
function endingOf(title: string): string | undefined {
  const end = title.slice(-maxEnding)
  for (let at = end.length - 2; at > 0; at--)
    if (sign.test(end.charAt(at)) && isSpace(end.charAt(at - 1)) && isSpace(end.charAt(at + 1)))
      return end.slice(at - 1)
  return undefined
}

const isSpace = (character: string) => /\s/.test(character)

const isMost = (count: number, all: number) => count > 2 && count > all / 2

/** True if a host takes the pair `search` and `fetch`, whose answers it parses. */
export const isForResearch = (offered: Offered): boolean => offered.has('fetch') && !offered.has('scrape')

/** The host reads these answers as JSON, so they have no marks around the text of pages. */
const asJson = (value: object): Presentation => ({
  parts: [ownWords(sanitiseText(JSON.stringify(value)))],
  isJson: true,
})

const maxDescription = 300
const maxText = 100_000

type Found = { data: SearchData; warning: string | null }

/** The id of a result is its URL. */
export function presentFound({ data: { web = [], news = [] }, warning }: Found): Presentation {
  const found = [
    ...web.map(({ url, title, description }) => ({ url, title, text: description })),
    ...news.map(({ url, title, snippet }) => ({ url, title, text: snippet })),
  ]
  const results = found.map(({ url, title, text }) => ({ id: url, title, url, text: text?.slice(0, maxDescription) }))
  return asJson({ results, ...(warning !== null && { warning }) })
}

export function presentFetched(id: string, { markdown = '', metadata }: Document): Presentation {
  const { url, title = url, statusCode, description } = metadata
  const text = markdown.slice(0, maxText)
  const facts = { statusCode, description, ...(text.length < markdown.length && { characters: markdown.length }) }
  return asJson({ id, title, text, url, metadata: facts })
}

/** Plans of at least as much have no limit. */
const unlimited = 1_000_000_000

const linesOf = (lines: readonly string[]): Presentation => ({
  parts: [ownWords(...(lines.length > 0 ? lines : ['Nothing was used.']))],
})
const dayOf = (iso: string) => iso.slice(0, 10)

type Row = Pick<z.output<typeof CreditPeriod>, 'startDate' | 'apiKey' | 'endpoint'>

/** One line per row, such as `2026-11, scrape: 12 credits.` */
const rowsOf = <R extends Row>(rows: readonly R[], used: (row: R) => string) =>
  linesOf(
    rows.map((row) => {
      const names = [row.startDate.slice(0, 7), row.apiKey && `key ${row.apiKey}`, row.endpoint]
      return `${names.filter(Boolean).join(', ')}: ${used(row)}.`
    }),
  )

export const presentCreditMonths = ({ periods }: { periods: readonly z.output<typeof CreditPeriod>[] }): Presentation =>
  rowsOf(periods, ({ creditsUsed }) => counted(creditsUsed, 'credit'))

export const presentTokenMonths = ({ periods }: { periods: readonly z.output<typeof TokenPeriod>[] }): Presentation =>
  rowsOf(periods, ({ totalTokens }) => counted(totalTokens, 'token'))

/** Days without usage are left out. */
export const presentCreditDays = ({ days }: { days: readonly z.output<typeof CreditDay>[] }): Presentation =>
  linesOf(
    days
      .filter(({ creditsUsed }) => creditsUsed > 0)
      .map(({ date, creditsUsed }) => `${date}: ${counted(creditsUsed, 'credit')}.`),
  )

type Balance = { unit: string; used: number; left: number; plan: number; start: string; end: string }

function balance({ unit, used, left, plan, start, end }: Balance): Presentation {
  const spent = `${counted(used, unit)} used since ${dayOf(start)}`
  const isLimited = plan < unlimited
  return linesOf([
    isLimited
      ? `${left.toLocaleString('en-US')} of ${counted(plan, unit)} ${left === 1 ? 'is' : 'are'} left until ${dayOf(end)}; ${spent}.`
      : `${spent}. No limit is set.`,
  ])
}

export const presentCreditsLeft = ({ data }: { data: z.output<typeof CreditBalance> }): Presentation =>
  balance({
    unit: 'credit',
    used: data.usedCredits,
    left: data.remainingCredits,
    plan: data.planCredits,
    start: data.billingPeriodStart,
    end: data.billingPeriodEnd,
  })

export const presentTokensLeft = ({ data }: { data: z.output<typeof TokenBalance> }): Presentation =>
  balance({
    unit: 'token',
    used: data.usedTokens,
    left: data.remainingTokens,
    plan: data.planTokens,
    start: data.billingPeriodStart,
    end: data.billingPeriodEnd,
  })

type Queue = {
  activeJobsInQueue: number
  waitingJobsInQueue: number
  maxConcurrency: number
  mostRecentSuccess: string | null
}

export const presentQueue = ({
  activeJobsInQueue: active,
  waitingJobsInQueue: waiting,
  maxConcurrency,
  mostRecentSuccess: latest,
}: Queue): Presentation =>
  linesOf([
    `${counted(active, 'job')} running, ${waiting} waiting; at most ${maxConcurrency} scrapes at a time.`,
    ...(latest === null ? [] : [`The latest job that succeeded began at ${minuteOf(latest)} UTC.`]),
  ])

export const presentConcurrency = (now: { concurrency: number; maxConcurrency: number }): Presentation =>
  linesOf([`${counted(now.concurrency, 'scrape')} running, at most ${now.maxConcurrency}.`])
