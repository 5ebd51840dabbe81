import type { Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { monthStart, type UsagePeriod } from '../../contracts/account-ports.ts'
import { tokensPerCredit } from '../billing/price.ts'
import { z } from 'zod'
import type { JobStatus } from '../../contracts/job-ports.ts'
import { errors } from '../../kernel/error-table.ts'
import { type ErrorCode, fail } from '../../kernel/error.ts'
import type { ActivityEndpoint } from '../../schema/team.ts'

const dayMs = 86_400_000
const Position = z.object({ createdAt: z.number(), id: z.string() })

type ActivityQuery = {
  endpoint?: ActivityEndpoint | undefined
  status?: JobStatus | undefined
  limit: number
  cursor?: string | undefined
}

/** Lists the team's jobs of the last 24 hours, newest first, one page at a time. */
export async function listActivity(
  ports: Pick<Ports, 'jobs' | 'clock'>,
  query: ActivityQuery,
  { team }: Pick<Ctx, 'team'>,
) {
  const rows = await ports.jobs.activity({
    teamId: team.id,
    since: ports.clock.now() - dayMs,
    limit: query.limit + 1,
    ...(query.endpoint && { endpoint: query.endpoint }),
    ...(query.status && { status: query.status }),
    ...(query.cursor !== undefined && { before: fromCursor(Position, query.cursor) }),
  })
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  const hasMore = rows.length > query.limit
  return {
    data: page.map(({ id, endpoint, createdAt, target, status, errorCode }) => ({
      id,
      endpoint: endpoint as ActivityEndpoint,
      api_version: 'v2',
      created_at: new Date(createdAt).toISOString(),
      target,
      status,
      ...(errorCode !== null && faultOf(errorCode)),
    })),
    cursor: hasMore && last ? toCursor({ createdAt: last.createdAt, id: last.id }) : null,
    has_more: hasMore,
  }
}

/** A code stored by an earlier version of the program may be unknown. */
const faultOf = (code: string): { code: string; error?: string } =>
  isErrorCode(code) ? { code, error: errors[code].message } : { code }
const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code)

/** Encodes an opaque paging cursor: callers must not read it, so its content may change. */
export function toCursor(position: object): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Decodes a paging cursor. Fails with BAD_REQUEST unless its content has the given shape. */
export function fromCursor<T>(shape: z.ZodType<T>, cursor: string): T {
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch {
    return fail('BAD_REQUEST', {
      message: 'The cursor is not valid.',
      hint: 'Send the cursor exactly as the previous answer returned it, or leave it out to start again.',
      details: [{ path: ['cursor'], message: 'Expected the cursor of an earlier answer', code: 'custom' }],
    })
  }
}

/** Counts the team's running and waiting calls, and returns the start of its latest completed job (within a day). */
export async function queueStatus(ports: Pick<Ports, 'account' | 'jobs' | 'clock'>, { team }: Pick<Ctx, 'team'>) {
  const { active, waiting } = await ports.account.load(team.id)
  const [latest] = await ports.jobs.activity({
    teamId: team.id,
    since: ports.clock.now() - dayMs,
    limit: 1,
    status: 'completed',
  })
  return {
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: (await ports.account.limitsOf(team.id)).maxConcurrency,
    mostRecentSuccess: latest ? new Date(latest.createdAt).toISOString() : null,
  }
}

type UsagePorts = Pick<Ports, 'usage'>
type Call = Pick<Ctx, 'team'>

type Split = { byApiKey: boolean; byEndpoint?: boolean }

/** Endpoint of charges that were recorded without one. */
const earlier = '(earlier)'
/** Name of the key in calls without one; clients expect a string. */
const noKey = '(none)'

const isoOf = (ms: number) => new Date(ms).toISOString()

const monthsOf = async (ports: UsagePorts, { byApiKey, byEndpoint }: Split, { team }: Call) =>
  ports.usage.months({ teamId: team.id, byKey: byApiKey, byEndpoint })

const dates = ({ start, end, keyName, endpoint }: UsagePeriod, { byApiKey }: Split) => ({
  startDate: isoOf(start),
  endDate: isoOf(end),
  ...(byApiKey && { apiKey: keyName ?? noKey }),
  ...(endpoint !== undefined && { endpoint: endpoint || earlier }),
})

/** Removes rounding errors of sums; credits of sessions have two decimals. */
const exact = (credits: number) => Math.round(credits * 100) / 100
const tokens = (credits: number) => Math.round(credits * tokensPerCredit)

/** Tokens of each calendar month (UTC), oldest first. */
export async function tokenPeriods(ports: UsagePorts, by: Split, caller: Call) {
  return (await monthsOf(ports, by, caller)).map((month) => {
    const used = tokens(month.credits)
    return { ...dates(month, by), totalTokens: used, tokensUsed: used }
  })
}

/** Credits of each calendar month (UTC), oldest first. */
export async function creditPeriods(ports: UsagePorts, by: Split, caller: Call) {
  const months = await monthsOf(ports, by, caller)
  return months.map((month) => ({ ...dates(month, by), creditsUsed: exact(month.credits) }))
}

/** Use of language models in each calendar month (UTC), in tokens of the models, oldest first. */
export async function modelPeriods(ports: UsagePorts, { team }: Call) {
  const months = await ports.usage.modelMonths({ teamId: team.id })
  return months.map(({ task, model, calls, inputTokens, outputTokens, ...month }) => ({
    startDate: isoOf(month.start),
    endDate: isoOf(month.end),
    apiKey: month.keyName ?? noKey,
    task,
    model,
    calls,
    inputTokens,
    outputTokens,
  }))
}

/** Credits of each of the last `days` days (UTC), including today and days without charges. */
export async function creditDays(ports: Pick<Ports, 'usage' | 'clock'>, { days }: { days: number }, { team }: Call) {
  const now = ports.clock.now()
  const first = now - (now % dayMs) - (days - 1) * dayMs
  const used = new Map((await ports.usage.days(team.id, first)).map(({ start, credits }) => [start, credits]))
  return Array.from({ length: days }, (_, at) => first + at * dayMs).map((start) => ({
    date: new Date(start).toISOString().slice(0, 10),
    creditsUsed: exact(used.get(start) ?? 0),
  }))
}

/** Monthly credits and tokens of a team without a limit; clients expect a number. */
export const unlimitedCredits = 1_000_000_000
export const unlimitedTokens = tokens(unlimitedCredits)

/** Credits left and used in the current month, with its start and end. */
export async function creditBalance(ports: Pick<Ports, 'usage' | 'account' | 'clock'>, { team }: Call) {
  const start = monthStart(ports.clock.now())
  const { monthlyCredits: planCredits = unlimitedCredits } = await ports.account.limitsOf(team.id)
  const usedCredits = exact(await ports.usage.since(team.id, start))
  return {
    remainingCredits: exact(Math.max(0, planCredits - usedCredits)),
    planCredits,
    usedCredits,
    billingPeriodStart: new Date(start).toISOString(),
    billingPeriodEnd: new Date(monthEnd(start)).toISOString(),
  }
}

/** First moment of the next calendar month (UTC). */
export function monthEnd(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

export async function tokenBalance(ports: Pick<Ports, 'usage' | 'account' | 'clock'>, caller: Call) {
  const { remainingCredits, planCredits, usedCredits, ...period } = await creditBalance(ports, caller)
  return {
    remainingTokens: tokens(remainingCredits),
    planTokens: tokens(planCredits),
    usedTokens: tokens(usedCredits),
    ...period,
  }
}
