import { z } from 'zod'
import { counted } from '../util/amounts.ts'
import * as usage from '../engine/account/usage-and-activity.ts'
import { defineOperation, type Presentation } from '../kernel/operation.ts'
import type { Tool } from '../kernel/tool.ts'
import {
  activityEndpoints,
  ActivityEntry,
  CreditBalance,
  CreditDay,
  CreditPeriod,
  ModelPeriod,
  jobEndpoints,
  TokenBalance,
  TokenPeriod,
} from '../schema/team.ts'
import { browserList } from './browser.ts'
import { crawlActive } from './crawl.ts'
import { listOfTeam, minuteOf, ownWords, shortened, tableOf } from './present/present-lists.ts'

/** Common fields of operations that read the team's records. */
const report = { effect: 'read', world: 'closed', errors: [], mcp: false } as const
const noInput = { example: {}, input: z.object({}) } as const
const byMonth = {
  example: { byApiKey: true },
  input: z.object({
    byApiKey: z.boolean().default(false).describe('One row per API key.'),
    byEndpoint: z.boolean().default(false).describe('One row per endpoint, as activity names it.'),
  }),
} as const

export const activity = defineOperation({
  ...report,
  name: 'activity',
  route: 'GET /v2/team/activity',
  title: 'Recent activity',
  about:
    'List the jobs of the last 24 hours, newest first, with their ids and why some of them failed. Use it to find the id of an earlier scrape, crawl or session.',
  example: { limit: 20, endpoint: 'scrape', status: 'failed' },
  input: z.object({
    endpoint: z.enum(activityEndpoints).optional().describe('Return only jobs of this kind.'),
    status: z.enum(['completed', 'failed']).optional().describe('Only calls with this outcome.'),
    limit: z.int().min(1).max(100).default(50).describe('Maximum jobs to return.'),
    cursor: z.string().max(1000).optional().describe('Cursor of the previous answer.'),
  }),
  output: z.object({
    data: z.array(ActivityEntry),
    cursor: z.string().nullable().describe('Pass it to get the next page; null on the last.'),
    has_more: z.boolean(),
  }),
  mcp: { present: presentActivity },
  run: (input, ctx) => usage.listActivity(ctx.ports, input, ctx),
})

export const queueStatus = defineOperation({
  ...report,
  ...noInput,
  name: 'queue_status',
  route: 'GET /v2/team/queue-status',
  title: 'Queue of the team',
  about: 'Report how many jobs of the team are running and waiting.',
  output: z.object({
    jobsInQueue: z.int(),
    activeJobsInQueue: z.int(),
    waitingJobsInQueue: z.int(),
    maxConcurrency: z.int(),
    mostRecentSuccess: z.string().nullable().describe('Start time of the latest successful job of the last 24 hours.'),
  }),
  mcp: {
    present: ({ activeJobsInQueue: active, waitingJobsInQueue: waiting, maxConcurrency, mostRecentSuccess: latest }) =>
      linesOf([
        `${counted(active, 'job')} running, ${waiting} waiting; at most ${maxConcurrency} scrapes at a time.`,
        ...(latest === null ? [] : [`The latest job that succeeded began at ${minuteOf(latest)} UTC.`]),
      ]),
    isBounded: true,
  },
  run: (_input, ctx) => usage.queueStatus(ctx.ports, ctx),
})

export const concurrencyCheck = defineOperation({
  ...report,
  ...noInput,
  name: 'concurrency_check',
  route: 'GET /v2/concurrency-check',
  aliases: ['GET /v2/team/concurrency-check'],
  title: 'Concurrency in use',
  about: 'Report how many scrapes of the team are running, and the limit.',
  output: z.object({ concurrency: z.int(), maxConcurrency: z.int() }),
  mcp: {
    present: ({ concurrency, maxConcurrency }) =>
      linesOf([`${counted(concurrency, 'scrape')} running, at most ${maxConcurrency}.`]),
    isBounded: true,
  },
  run: async (_input, { ports, team }) => ({
    concurrency: (await ports.account.load(team.id)).active,
    maxConcurrency: (await ports.account.limitsOf(team.id)).maxConcurrency,
  }),
})

export const creditUsage = defineOperation({
  ...report,
  ...noInput,
  name: 'credit_usage',
  route: 'GET /v2/team/credit-usage',
  title: 'Credits left',
  about: 'Report the credits left in the current month.',
  output: z.object({ data: CreditBalance }),
  mcp: {
    present: ({ data }) =>
      balanceOf(data, {
        unit: 'credit',
        used: data.usedCredits,
        left: data.remainingCredits,
        plan: data.planCredits,
        unlimited: usage.unlimitedCredits,
      }),
    isBounded: true,
  },
  run: async (_input, ctx) => ({ data: await usage.creditBalance(ctx.ports, ctx) }),
})

export const creditUsageHistorical = defineOperation({
  ...report,
  ...byMonth,
  name: 'credit_usage_historical',
  route: 'GET /v2/team/credit-usage/historical',
  title: 'Credit usage by month',
  about: 'Report the credits used each month, in total, per API key or per endpoint.',
  output: z.object({ periods: z.array(CreditPeriod) }),
  mcp: {
    present: ({ periods }) => rowsOf(periods, ({ creditsUsed }) => counted(creditsUsed, 'credit')),
    isBounded: true,
  },
  run: async (input, ctx) => ({ periods: await usage.creditPeriods(ctx.ports, input, ctx) }),
})

export const creditUsageDaily = defineOperation({
  ...report,
  name: 'credit_usage_daily',
  route: 'GET /v2/team/credit-usage/daily',
  title: 'Credit usage by day',
  about: 'Report the credits used each day (UTC) up to today.',
  example: { days: 7 },
  input: z.object({ days: z.int().min(1).max(366).default(30).describe('Number of days, today included.') }),
  output: z.object({ days: z.array(CreditDay) }),
  mcp: {
    present: ({ days }) => {
      const used = days.filter(({ creditsUsed }) => creditsUsed > 0)
      return linesOf(used.map(({ date, creditsUsed }) => `${date}: ${counted(creditsUsed, 'credit')}.`))
    },
    isBounded: true,
  },
  run: async (input, ctx) => ({ days: await usage.creditDays(ctx.ports, input, ctx) }),
})

export const tokenBalance = defineOperation({
  ...report,
  ...noInput,
  name: 'token_balance',
  route: 'GET /v2/team/token-usage',
  title: 'Tokens left',
  about: 'Report the tokens left in the current month. One credit is 15 tokens.',
  output: z.object({ data: TokenBalance }),
  mcp: {
    present: ({ data }) =>
      balanceOf(data, {
        unit: 'token',
        used: data.usedTokens,
        left: data.remainingTokens,
        plan: data.planTokens,
        unlimited: usage.unlimitedTokens,
      }),
    isBounded: true,
  },
  run: async (_input, ctx) => ({ data: await usage.tokenBalance(ctx.ports, ctx) }),
})

export const tokenUsage = defineOperation({
  ...report,
  ...byMonth,
  name: 'token_usage',
  route: 'GET /v2/team/token-usage/historical',
  title: 'Token usage by month',
  about: 'Report the tokens used each month, in total, per API key or per endpoint. One credit is 15 tokens.',
  output: z.object({ periods: z.array(TokenPeriod) }),
  mcp: {
    present: ({ periods }) => rowsOf(periods, ({ totalTokens }) => counted(totalTokens, 'token')),
    isBounded: true,
  },
  run: async (input, ctx) => ({ periods: await usage.tokenPeriods(ctx.ports, input, ctx) }),
})

export const modelUsage = defineOperation({
  ...report,
  ...noInput,
  name: 'model_usage',
  route: 'GET /v2/team/model-usage/historical',
  title: 'Model usage by month',
  about: 'Report the tokens that language models read and wrote each month, per API key, task and model.',
  output: z.object({ periods: z.array(ModelPeriod) }),
  run: async (_input, ctx) => ({ periods: await usage.modelPeriods(ctx.ports, ctx) }),
})

const { status, limit, cursor } = activity.input.shape

export const activityTool: Tool = {
  name: 'activity',
  title: 'Recent activity',
  about: 'List jobs of the last 24 hours with ids and why some failed; or running crawls, or live browsers.',
  effect: 'read',
  example: activity.example,
  arguments: z.object({
    show: z.enum(['jobs', 'crawls', 'browsers']).default('jobs').describe('List to show; default jobs.'),
    // Only endpoints that an agent can call.
    endpoint: z.enum(jobEndpoints).optional().describe('Return only jobs of this kind.'),
    status: status.describe('Return only calls that ended this way.'),
    limit,
    cursor,
  }),
  variants: [
    { operation: crawlActive, when: { show: 'crawls' } },
    { operation: browserList, when: { show: 'browsers' }, adds: { status: 'active' } },
    { operation: activity, when: { show: 'jobs' } },
  ],
}

const views = {
  tokens_by_month: tokenUsage,
  tokens_left: tokenBalance,
  credits_left: creditUsage,
  credits_by_month: creditUsageHistorical,
  credits_by_day: creditUsageDaily,
  queue: queueStatus,
  concurrency: concurrencyCheck,
} as const
type View = keyof typeof views
const viewNames = Object.keys(views) as [View, ...View[]]

export const usageTool: Tool = {
  name: 'usage',
  title: 'Usage and limits',
  about: 'Report what your team has used and has left, or how many jobs run and wait.',
  effect: 'read',
  example: { show: 'credits_by_month' },
  arguments: z.object({
    show: z.enum(viewNames).default('tokens_by_month').describe('Report to show. One credit is 15 tokens.'),
  }),
  variants: viewNames.map((show) => ({ operation: views[show], when: { show } })),
}

const linesOf = (lines: readonly string[]): Presentation => ({
  parts: [ownWords(...(lines.length > 0 ? lines : ['Nothing was used.']))],
})

type Row = Pick<CreditPeriod, 'startDate' | 'apiKey' | 'endpoint'>

/** One line per row, such as `2026-11, scrape: 12 credits.` */
const rowsOf = <R extends Row>(rows: readonly R[], used: (row: R) => string) =>
  linesOf(
    rows.map((row) => {
      const names = [row.startDate.slice(0, 7), row.apiKey && `key ${row.apiKey}`, row.endpoint]
      return `${names.filter(Boolean).join(', ')}: ${used(row)}.`
    }),
  )

type BillingPeriod = Pick<CreditBalance, 'billingPeriodStart' | 'billingPeriodEnd'>
/** `unlimited` is the plan of a team without a limit. */
type Balance = { unit: string; used: number; left: number; plan: number; unlimited: number }

function balanceOf(period: BillingPeriod, { unit, used, left, plan, unlimited }: Balance): Presentation {
  const [start, end] = [period.billingPeriodStart, period.billingPeriodEnd].map((iso) => iso.slice(0, 10))
  const spent = `${counted(used, unit)} used since ${start}`
  const rest = `${left.toLocaleString('en-US')} of ${counted(plan, unit)} ${left === 1 ? 'is' : 'are'} left until ${end}`
  return linesOf([plan < unlimited ? `${rest}; ${spent}.` : `${spent}. No limit is set.`])
}

type Activity = { data: readonly ActivityEntry[]; cursor: string | null }

/** Recent jobs, one per line. */
export function presentActivity({ data, cursor: next }: Activity): Presentation {
  if (data.length === 0) return { parts: [ownWords('No jobs.')] }
  const hasFaults = data.some((job) => job.status === 'failed')
  const columns = ['id', 'kind', 'began (UTC)', 'about', ...(hasFaults ? ['failed with'] : [])]
  const rows = data.map(({ id, endpoint, created_at: at, target, code, error }) => [
    id,
    endpoint,
    minuteOf(at),
    shortened(target ?? ''),
    ...(hasFaults ? [shortened([code, error].filter(Boolean).join(': '))] : []),
  ])
  const more = next === null ? [] : [`More: call again with ${JSON.stringify({ cursor: next })}.`]
  return {
    parts: [
      ownWords(`${counted(data.length, 'job')}, newest first.`, ...more),
      listOfTeam('jobs', tableOf(columns, rows)),
    ],
  }
}
