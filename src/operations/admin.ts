import { z } from 'zod'
import type { TeamTerms } from '../contracts/account-ports.ts'
import { shownTeam } from '../engine/account/team-rates.ts'
import { isAllowEntry } from '../engine/net/address-rule.ts'
import { fail } from '../kernel/error.ts'
import { defineOperation } from '../kernel/operation.ts'
import { Key, KeyName, permissions as grantable, settingAgain, Team, TeamId, TeamInput } from '../schema/team.ts'

/** Manages the server, over REST alone. */
const byAdmin = { world: 'closed', errors: [], permissions: () => ['admin'] as const, mcp: false } as const

export const adminTeams = defineOperation({
  ...byAdmin,
  name: 'admin_teams',
  route: 'GET /v2/admin/teams',
  title: 'List teams',
  about: 'List the teams that have terms of their own. Needs the admin key.',
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
  about: 'Add a team with terms of its own, or change those that are named. Needs the admin key.',
  effect: 'create',
  example: { id: 'acme', maxConcurrency: 4, requestsPerMinute: { '*': 60, crawl: 5 }, monthlyCredits: 1000 },
  input: TeamInput,
  output: z.object({ team: Team }),
  async run(input, { ports: { teams } }) {
    const terms = termsOf(input)
    const wrong = terms.privateHosts?.find((entry) => !isAllowEntry(entry))
    if (wrong !== undefined)
      fail('BAD_REQUEST', { message: `privateHosts: "${wrong}" is not a host name, an IP address or a CIDR block.` })
    const isKnown = (await teams.find(input.id)) !== undefined
    return { team: shownTeam(await teams[isKnown ? 'change' : 'add'](input.id, terms)) }
  },
})

export const adminTeamRemove = defineOperation({
  ...byAdmin,
  name: 'admin_team_remove',
  route: 'DELETE /v2/admin/teams/:id',
  title: 'Remove a team',
  about: 'Remove the terms of a team and revoke its keys. Needs the admin key.',
  effect: 'destroy',
  example: { id: 'acme' },
  input: z.object({ id: TeamId }),
  output: z.object({ id: z.string() }),
  async run({ id }, { ports }) {
    await ports.teams.remove(id)
    return { id }
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
      keys: keys.map(({ createdAt, expiresAt, lastUsedAt, permissions, ...key }) => ({
        ...key,
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
  about: 'Create an API key of a team. The answer shows it, this once. Needs the admin key.',
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
    expiresInDays: z.number().positive().max(36_500).optional().describe('It never expires if absent.'),
  }),
  output: z.object({ name: z.string(), teamId: z.string(), key: z.string() }),
  async run({ name, team = name, permissions: granted, expiresInDays: days }, { ports: { keys, clock } }) {
    const expiresAt = days === undefined ? undefined : Math.round(clock.now() + days * dayMs)
    return { name, teamId: team, ...(await keys.add({ name, teamId: team, permissions: granted, expiresAt })) }
  },
})

export const adminKeyRevoke = defineOperation({
  ...byAdmin,
  name: 'admin_key_revoke',
  route: 'DELETE /v2/admin/keys/:name',
  title: 'Revoke a key',
  about: 'Revoke an API key: it opens nothing from now on. Needs the admin key.',
  effect: 'destroy',
  example: { name: 'laptop' },
  input: z.object({ name: KeyName }),
  output: z.object({ name: z.string() }),
  async run({ name }, { ports }) {
    await ports.keys.revoke(name)
    return { name }
  },
})

/** The terms that a request names; `default` stands for what the settings say. */
function termsOf(input: z.output<typeof TeamInput>): TeamTerms {
  const named = Object.entries(input).filter(([name, value]) => name !== 'id' && value !== undefined)
  return Object.fromEntries(named.map(([name, value]) => [name, value === settingAgain ? undefined : value]))
}
