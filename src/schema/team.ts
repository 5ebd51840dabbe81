import { z } from 'zod'
import { words } from './limits.ts'
import { endpoints } from './usage.ts'

export const operationPermissions = [
  'zeroDataRetention',
  'ignoreRobotsTxt',
  'robotsUserAgent',
  'searchEnterprise',
] as const
/** Options that an operator grants to a team (spec: enterprise-only options). Middleware itself requires `localFiles`. */
export const permissions = [...operationPermissions, 'localFiles'] as const

export const settingAgain = 'default'
const orDefault = <T extends z.ZodType>(value: T) => z.union([value, z.literal(settingAgain)]).optional()

const Rates = z
  .partialRecord(z.enum([...endpoints, '*']), z.int().min(1).max(9_999_999))
  .meta({ maxProperties: endpoints.length + 1 })
const Permissions = z.array(z.enum(permissions)).max(permissions.length)

const maxPrivateHosts = 200

/** Without a colon, which stands between team and key in settings. */
export const TeamId = words(64).describe('Id of the team.')
export const KeyName = words(64).describe('Name of the key.')

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
  privateHosts: orDefault(z.array(words(300)).max(maxPrivateHosts)).describe(
    'Private hosts that this team alone may reach: names, addresses or CIDR ranges, each with or without a port.',
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
  privateHosts: z.array(z.string()).optional(),
  webhookSecret: z.literal('set').nullable().optional(),
})

export const Key = z.object({
  name: z.string(),
  teamId: z.string(),
  prefix: z.string().describe('The beginning of the key.'),
  permissions: z.array(z.string()),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
})
