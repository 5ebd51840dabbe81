import { z } from 'zod'
import type { TeamTerms } from '../contracts/account-ports.ts'
import { crawlKinds } from '../contracts/crawl-ports.ts'
import type { Ports } from '../contracts/ports.ts'
import { workflowKinds } from '../contracts/workflow.ts'
import { shownTeam } from '../engine/account/team-limits.ts'
import { cancelJob } from '../engine/crawl/status.ts'
import { cancelledEvent } from '../engine/extract/start-extract.ts'
import { isAllowEntry } from '../engine/net/address-rule.ts'
import { cancelWorkflow } from '../engine/workflow/workflow-job.ts'
import { fail } from '../kernel/error.ts'
import { defineOperation } from '../kernel/operation.ts'
import { words } from '../schema/common-fields.ts'
import { JobId } from '../schema/crawl-schema.ts'
import { endpoints, permissions as grantable } from '../schema/team.ts'
import { aboutJob, cancelsJob } from './jobs.ts'

/** In a request, resets a term of a team (a limit or permission) to the setting of the server. */
const settingAgain = 'default'
const orDefault = <T extends z.ZodType>(value: T) => z.union([value, z.literal(settingAgain)]).optional()

const Rates = z
  .partialRecord(z.enum([...endpoints, '*']), z.int().min(1).max(9_999_999))
  .meta({ maxProperties: endpoints.length + 1 })
const Permissions = z.array(z.enum(grantable)).max(grantable.length)

const Hosts = z.array(words(300)).max(200)

const TeamId = words(64).describe('Id of the team.')
const KeyName = words(64).describe('Name of the key.')

/** Terms that list hosts. */
const hostTerms = ['privateHosts', 'allowDomains', 'denyDomains', 'resourceDomains'] as const

const TeamInput = z.object({
  id: TeamId,
  maxConcurrency: orDefault(z.int().min(1).max(1_000_000)).describe('Scrapes at the same time.'),
  maxSessions: orDefault(z.int().min(0).max(1_000_000).nullable()).describe(
    'Live browsers at the same time; null = no limit.',
  ),
  requestsPerMinute: orDefault(Rates.nullable()).describe(
    'Calls a minute by endpoint, `*` for all others; null = no limit.',
  ),
  monthlyCredits: orDefault(z.int().min(0).max(1e12).nullable()).describe('Credits a month; null = no limit.'),
  permissions: orDefault(Permissions).describe(`Options the team may use: ${grantable.join(', ')}.`),
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

const Team = z.object({
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

const Key = z.object({
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

/** Common fields of operations that manage the server, over REST only. */
const byAdmin = { world: 'closed', errors: [], permissions: () => ['admin'] as const, mcp: false } as const

export const adminTeams = defineOperation({
  ...byAdmin,
  name: 'admin_teams',
  route: 'GET /v2/admin/teams',
  title: 'List teams',
  about: 'List the teams that have limits or permissions of their own. Needs the admin key.',
  effect: 'read',
  example: {},
  input: z.object({}),
  output: z.object({ teams: z.array(Team) }),
  run: async (_input, { ports }) => ({ teams: (await ports.teams.list()).map(shownTeam) }),
})

export const adminTeamSet = defineOperation({
  ...byAdmin,
  name: 'admin_team_set',
  route: 'POST /v2/admin/teams',
  title: 'Set the terms of a team',
  about:
    'Add a team with its own limits and permissions, or change those given in the call if the team exists. Needs the admin key.',
  effect: 'create',
  example: { id: 'acme', maxConcurrency: 4, requestsPerMinute: { '*': 60, crawl: 5 }, monthlyCredits: 1000 },
  input: TeamInput,
  output: z.object({ team: Team }),
  async run(input, { ports }) {
    const { teams } = ports
    const terms = termsOf(input)
    for (const name of hostTerms) {
      const wrong = terms[name]?.find((entry) => !isAllowEntry(entry))
      if (wrong !== undefined)
        fail('BAD_REQUEST', { message: `${name}: "${wrong}" is not a host name, an IP address or a CIDR block.` })
    }
    const isKnown = (await teams.find(input.id)) !== undefined
    const team = shownTeam(await teams[isKnown ? 'change' : 'add'](input.id, terms))
    wake(ports)
    return { team }
  },
})

/** Wakes the background work: a change of a team may have stopped its jobs and monitors, or let them continue. */
function wake({ crawler, workflowRunner, monitorSchedule }: Ports): void {
  for (const each of [crawler, workflowRunner, monitorSchedule]) each.wake()
}

export const adminTeamRemove = defineOperation({
  ...byAdmin,
  name: 'admin_team_remove',
  route: 'DELETE /v2/admin/teams/:id',
  title: 'Remove a team',
  about:
    'Remove the terms of a team, revoke its keys, cancel its jobs, delete its monitors and end its sessions. Needs the admin key.',
  effect: 'destroy',
  example: { id: 'acme' },
  input: z.object({ id: TeamId }),
  output: z.object({ id: z.string() }),
  async run({ id }, { ports }) {
    await ports.teams.remove(id)
    wake(ports)
    return { id }
  },
})

export const adminTeamSecret = defineOperation({
  ...byAdmin,
  name: 'admin_team_secret',
  route: 'GET /v2/admin/teams/:id/webhook-secret',
  title: 'Show the webhook secret of a team',
  about:
    'Show which secret signs the webhooks of a team, and the secret itself if the server derives it. Needs the admin key.',
  effect: 'read',
  example: { id: 'acme' },
  input: z.object({ id: TeamId }),
  output: z.object({
    id: z.string(),
    source: z
      .enum(['team', 'derived', 'server', 'none'])
      .describe(
        'team: a secret of its own; derived: from GOSSAMER_WEBHOOK_SECRET; server: that secret itself (no other team has a key); none: unsigned.',
      ),
    webhookSecret: z.string().optional().describe('The derived secret; others are not shown again.'),
  }),
  async run({ id }, { ports }) {
    const { source, secret } = await ports.webhookSecret(id)
    return { id, source, ...(source === 'derived' && { webhookSecret: secret }) }
  },
})

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

export const adminKeys = defineOperation({
  ...byAdmin,
  name: 'admin_keys',
  route: 'GET /v2/admin/keys',
  title: 'List keys',
  about: 'List the API keys, without their secrets, and when each was last used. Needs the admin key.',
  effect: 'read',
  example: {},
  input: z.object({}),
  output: z.object({ keys: z.array(Key) }),
  async run(_input, { ports }) {
    const keys = await ports.keys.list()
    return {
      keys: keys.map(({ createdAt, expiresAt, lastUsedAt, permissions, limits = {}, ...key }) => ({
        ...key,
        ...(limits.readOnly && { readOnly: true }),
        ...(limits.operations && { operations: [...limits.operations] }),
        permissions: [...permissions],
        createdAt: new Date(createdAt).toISOString(),
        expiresAt: dateOf(expiresAt),
        lastUsedAt: dateOf(lastUsedAt),
      })),
    }
  },
})

const dayMs = 86_400_000

export const adminKeyAdd = defineOperation({
  ...byAdmin,
  name: 'admin_key_add',
  route: 'POST /v2/admin/keys',
  title: 'Create a key',
  about: 'Create an API key for a team. Only this answer shows the key. Needs the admin key.',
  effect: 'create',
  example: { name: 'laptop', team: 'acme', expiresInDays: 30 },
  input: z.object({
    name: KeyName,
    team: TeamId.optional().describe('Its team; the name of the key if absent.'),
    permissions: z
      .array(z.enum(grantable))
      .max(grantable.length)
      .default([])
      .describe('Options it may use, unless its team has permissions of its own.'),
    readOnly: z.boolean().default(false).describe('It may only make calls that change nothing.'),
    operations: z
      .array(words(64))
      .min(1)
      .max(200)
      .optional()
      .describe('Operations that it may call, such as scrape and search; all if absent.'),
    expiresInDays: z.number().positive().max(36_500).optional().describe('It never expires if absent.'),
  }),
  output: z.object({ name: z.string(), teamId: z.string(), key: z.string() }),
  async run({ name, team = name, permissions: granted, expiresInDays: days, ...limits }, { ports: { keys, clock } }) {
    const expiresAt = days === undefined ? undefined : Math.round(clock.now() + days * dayMs)
    return { name, teamId: team, ...(await keys.add({ name, teamId: team, permissions: granted, limits, expiresAt })) }
  },
})

export const adminKeyRevoke = defineOperation({
  ...byAdmin,
  name: 'admin_key_revoke',
  route: 'DELETE /v2/admin/keys/:name',
  title: 'Revoke a key',
  about:
    'Revoke an API key: calls with it are refused from now on. With the last key of a team, its jobs are cancelled, its sessions end and its monitors are paused. Needs the admin key.',
  effect: 'destroy',
  example: { name: 'laptop' },
  input: z.object({ name: KeyName }),
  output: z.object({
    name: z.string(),
    stoppedTeam: z.string().optional().describe('The team, if this was its last key.'),
  }),
  async run({ name }, { ports }) {
    const { stoppedTeam } = await ports.keys.revoke(name)
    wake(ports)
    return { name, ...(stoppedTeam !== undefined && { stoppedTeam }) }
  },
})

/** An unfinished job of any team, as the operator sees it. */
const AdminJob = z.object({
  id: z.string(),
  kind: z.enum([...crawlKinds, ...workflowKinds]),
  teamId: z.string(),
  target: z.string().nullable().describe('URL or query of the job; null when it must not be kept.'),
  createdAt: z.string(),
})

export const adminJobs = defineOperation({
  ...byAdmin,
  name: 'admin_jobs',
  route: 'GET /v2/admin/jobs',
  title: 'List unfinished jobs',
  about:
    'List the unfinished crawls, batches, extracts, agents, llms.txt jobs and monitor checks. Needs the admin key.',
  effect: 'read',
  example: { team: 'acme' },
  input: z.object({ team: TeamId.optional().describe('Only the jobs of this team.') }),
  output: z.object({ jobs: z.array(AdminJob) }),
  async run({ team }, { ports: { crawls, workflows } }) {
    const unfinished = [...(await crawls.running(team)), ...(await workflows.running(team))]
    const jobs = unfinished
      .toSorted((one, other) => one.createdAt - other.createdAt)
      .map(({ id, kind, teamId, target, createdAt }) => ({
        id,
        kind,
        teamId,
        target,
        createdAt: new Date(createdAt).toISOString(),
      }))
    return { jobs }
  },
})

export const adminJobCancel = defineOperation({
  ...byAdmin,
  name: 'admin_job_cancel',
  route: 'DELETE /v2/admin/jobs/:id',
  title: 'Cancel a job of any team',
  about: 'Cancel a job of any team. Its results so far stay readable. Needs the admin key.',
  effect: 'destroy',
  example: aboutJob.example,
  input: z.object({ id: JobId }),
  output: cancelsJob.output,
  errors: ['JOB_NOT_FOUND', 'JOB_IS_OVER'],
  async run({ id }, ctx) {
    const { crawls, workflows, clock } = ctx.ports
    const asTeam = (teamId: string) => ({ ...ctx, team: { ...ctx.team, id: teamId } })
    const crawl = await crawls.find(id)
    if (crawl) return cancelJob({ id }, asTeam(crawl.teamId))
    const workflow = await workflows.find(id)
    if (!workflow) return fail('JOB_NOT_FOUND', { details: { id } })
    return cancelWorkflow({ id, kinds: workflowKinds }, asTeam(workflow.teamId), cancelledEvent(clock))
  },
})

/** The terms in a request; `default` resets a term to its setting. */
function termsOf(input: z.output<typeof TeamInput>): TeamTerms {
  const named = Object.entries(input).filter(([name, value]) => name !== 'id' && value !== undefined)
  return Object.fromEntries(named.map(([name, value]) => [name, value === settingAgain ? undefined : value]))
}
