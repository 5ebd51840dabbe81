import { z } from 'zod'
import { words } from './common-fields.ts'

/** Each must be the endpoint of at least one operation, otherwise the list of operations does not compile. */
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
/** A monitor check is listed with them, but cannot be called. */
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

export const settingAgain = 'default'
const orDefault = <T extends z.ZodType>(value: T) => z.union([value, z.literal(settingAgain)]).optional()

const Rates = z
  .partialRecord(z.enum([...endpoints, '*']), z.int().min(1).max(9_999_999))
  .meta({ maxProperties: endpoints.length + 1 })
const Permissions = z.array(z.enum(permissions)).max(permissions.length)

const Hosts = z.array(words(300)).max(200)

/** Contains no colon, which separates team and key in settings. */
export const TeamId = words(64).describe('Id of the team.')
export const KeyName = words(64).describe('Name of the key.')

/** Terms that list hosts. */
export const hostTerms = ['privateHosts', 'allowDomains', 'denyDomains', 'resourceDomains'] as const

export const TeamInput = z.object({
  id: TeamId,
  maxConcurrency: orDefault(z.int().min(1).max(1_000_000)).describe('Scrapes at the same time.'),
  maxSessions: orDefault(z.int().min(0).max(1_000_000).nullable()).describe(
    'Live browsers at the same time; null = no limit.',
  ),
  requestsPerMinute: orDefault(Rates.nullable()).describe(
    'Calls a minute by endpoint, `*` for all others; null = no limit.',
  ),
  monthlyCredits: orDefault(z.int().min(0).max(1e12).nullable()).describe('Credits a month; null = no limit.'),
  permissions: orDefault(Permissions).describe(`Options the team may use: ${permissions.join(', ')}.`),
  unsandboxedCode: orDefault(z.boolean()).describe(
    'Whether session code may run without a strong sandbox, as far as GOSSAMER_UNSANDBOXED_CODE allows it.',
  ),
  disabled: orDefault(z.boolean()).describe(
    'True: its keys are refused, its sessions end, and its jobs and monitors wait until it is enabled.',
  ),
  privateHosts: orDefault(Hosts).describe(
    'Private hosts that this team alone may reach: names, addresses or CIDR ranges, each with or without a port.',
  ),
  allowDomains: orDefault(Hosts).describe(
    'The only hosts that it may reach, in the same form; names include subdomains.',
  ),
  denyDomains: orDefault(Hosts).describe(
    'Hosts that it may not reach, in the same form, even if allowDomains lists them.',
  ),
  resourceDomains: orDefault(Hosts).describe(
    'Hosts besides allowDomains from which its pages may load scripts, pictures and frames, but which it may not open.',
  ),
  webhookSecret: orDefault(z.string().min(8).max(500).nullable()).describe(
    'Secret that signs its webhooks; null = none.',
  ),
})

export const Team = z.object({
  id: z.string(),
  createdAt: z.string(),
  maxConcurrency: z.int().optional(),
  maxSessions: z.int().nullable().optional(),
  requestsPerMinute: z.record(z.string(), z.int()).nullable().optional(),
  monthlyCredits: z.int().nullable().optional(),
  permissions: z.array(z.string()).optional(),
  unsandboxedCode: z.boolean().optional(),
  disabled: z.boolean().optional(),
  privateHosts: z.array(z.string()).optional(),
  allowDomains: z.array(z.string()).optional(),
  denyDomains: z.array(z.string()).optional(),
  resourceDomains: z.array(z.string()).optional(),
  webhookSecret: z.literal('set').nullable().optional(),
})

export const Key = z.object({
  name: z.string(),
  teamId: z.string(),
  prefix: z.string().describe('First characters of the key.'),
  permissions: z.array(z.string()),
  readOnly: z.boolean().optional(),
  operations: z.array(z.string()).optional(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
})
