import { z } from 'zod'

/** Endpoints with jobs. Each must belong to at least one operation, otherwise the list of operations does not compile. */
export const jobEndpoints = [
  'scrape',
  'crawl',
  'batch_scrape',
  'search',
  'map',
  'browser',
  'interact',
  'extract',
  'agent',
  'llmstxt',
  'feedback',
] as const
export type JobEndpoint = (typeof jobEndpoints)[number]
/** Endpoint names in the activity of a team (spec: Activity entry); the last one has no operation yet. */
export const endpoints = [...jobEndpoints, 'deep_research'] as const
/** Endpoints in the activity list, which also shows monitor checks. */
export const activityEndpoints = [...endpoints, 'monitor'] as const
export type ActivityEndpoint = (typeof activityEndpoints)[number]

export const ActivityEntry = z.object({
  id: z.string(),
  endpoint: z.enum(activityEndpoints),
  api_version: z.string(),
  created_at: z.string().describe('ISO 8601 time.'),
  target: z.string().nullable().describe('URL, query or file name of the job; null when it must not be kept.'),
  status: z.enum(['completed', 'failed']).describe('How the call ended; a job that it started has its own status.'),
  code: z.string().optional().describe('Error code of a call that failed.'),
  error: z.string().optional().describe('What went wrong, in words.'),
})
export type ActivityEntry = z.output<typeof ActivityEntry>

const period = {
  startDate: z.string().describe('Start of the period, ISO 8601.'),
  endDate: z.string().describe('End of the period (exclusive), ISO 8601.'),
  apiKey: z.string().optional().describe('Name of the API key, with byApiKey; (none) for calls without a key.'),
  endpoint: z.string().optional().describe('With byEndpoint: the endpoint; (earlier) for usage recorded without one.'),
}
export const TokenPeriod = z.object({
  ...period,
  totalTokens: z.int(),
  tokensUsed: z.int().describe('Same as totalTokens, for clients that read this name.'),
})
export const CreditPeriod = z.object({ ...period, creditsUsed: z.number() })
export type CreditPeriod = z.output<typeof CreditPeriod>

export const ModelPeriod = z.object({
  startDate: period.startDate,
  endDate: period.endDate,
  apiKey: z.string().describe('Name of the API key; (none) for calls without a key.'),
  task: z.string().describe('Purpose of the requests, such as json.'),
  model: z.string().describe('Name of the model at its provider.'),
  calls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
})

export const CreditDay = z.object({
  date: z.string().describe('Day (UTC), such as 2026-11-22.'),
  creditsUsed: z.number(),
})
export type CreditDay = z.output<typeof CreditDay>

const billingPeriod = { billingPeriodStart: z.string(), billingPeriodEnd: z.string() }
export const CreditBalance = z.object({
  remainingCredits: z.number(),
  planCredits: z.number().describe('Credits per month; 1000000000 if no limit is set.'),
  usedCredits: z.number().describe('Credits used in this month.'),
  ...billingPeriod,
})
export type CreditBalance = z.output<typeof CreditBalance>
export const TokenBalance = z.object({
  remainingTokens: z.number(),
  planTokens: z.number(),
  usedTokens: z.number().describe('Tokens used in this month.'),
  ...billingPeriod,
})

export const operationPermissions = [
  'zeroDataRetention',
  'ignoreRobotsTxt',
  'robotsUserAgent',
  'searchEnterprise',
] as const
/** Options that an operator grants to a team (spec: enterprise-only options). Middleware enforces `localFiles`. */
export const permissions = [...operationPermissions, 'localFiles'] as const
