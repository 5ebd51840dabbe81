import { z } from 'zod'
import type { Tool } from '../../kernel/tool.ts'
import concurrencyCheck from '../../operations/concurrency-check.ts'
import creditUsageDaily from '../../operations/credit-usage-daily.ts'
import creditUsageHistorical from '../../operations/credit-usage-historical.ts'
import creditUsage from '../../operations/credit-usage.ts'
import queueStatus from '../../operations/queue-status.ts'
import tokenBalance from '../../operations/token-balance.ts'
import tokenUsage from '../../operations/token-usage.ts'

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
const names = Object.keys(views) as [View, ...View[]]

export const usageTool: Tool = {
  name: 'usage',
  title: 'Usage and limits',
  about: 'Report what your team has used and has left, or how many jobs run and wait.',
  effect: 'read',
  example: { show: 'credits_by_month' },
  arguments: z.object({
    show: z.enum(names).default('tokens_by_month').describe('What to report. One credit is 15 tokens.'),
    byApiKey: z.boolean().optional().describe('One row per API key.'),
    byEndpoint: z.boolean().optional().describe('One row per endpoint.'),
  }),
  variants: names.map((show) => ({ operation: views[show], when: { show } })),
}
