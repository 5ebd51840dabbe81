import type { z } from 'zod'
import type { Presentation } from '../../kernel/operation.ts'
import type { CreditBalance, CreditDay, CreditPeriod, TokenBalance, TokenPeriod } from '../../schema/team.ts'
import { counted, minuteOf, ownWords } from './present-lists.ts'

/** Plans of at least as much have no limit. */
const unlimited = 1_000_000_000

const said = (lines: readonly string[]): Presentation => ({
  parts: [ownWords(...(lines.length > 0 ? lines : ['Nothing was used.']))],
})
const dayOf = (iso: string) => iso.slice(0, 10)

type Row = Pick<z.output<typeof CreditPeriod>, 'startDate' | 'apiKey' | 'endpoint'>

/** One line per row, such as `2026-11, scrape: 12 credits.` */
const rowsOf = <R extends Row>(rows: readonly R[], used: (row: R) => string) =>
  said(
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
  said(
    days
      .filter(({ creditsUsed }) => creditsUsed > 0)
      .map(({ date, creditsUsed }) => `${date}: ${counted(creditsUsed, 'credit')}.`),
  )

type Balance = { unit: string; used: number; left: number; plan: number; start: string; end: string }

function balance({ unit, used, left, plan, start, end }: Balance): Presentation {
  const spent = `${counted(used, unit)} used since ${dayOf(start)}`
  const isLimited = plan < unlimited
  return said([
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
  said([
    `${counted(active, 'job')} running, ${waiting} waiting; at most ${maxConcurrency} scrapes at a time.`,
    ...(latest === null ? [] : [`The latest job that succeeded began at ${minuteOf(latest)} UTC.`]),
  ])

export const presentConcurrency = (now: { concurrency: number; maxConcurrency: number }): Presentation =>
  said([`${counted(now.concurrency, 'scrape')} running, at most ${now.maxConcurrency}.`])
