import { z } from 'zod'
import { permissions } from '../contracts/account.ts'
import { defineOperation } from '../kernel/operation.ts'
import { KeyName, TeamId } from '../schema/team.ts'

const dayMs = 86_400_000

export default defineOperation({
  name: 'admin_key_add',
  route: 'POST /v2/admin/keys',
  title: 'Create a key',
  about: 'Create an API key of a team. The answer shows it, this once. Needs the admin key.',
  effect: 'create',
  world: 'closed',
  example: { name: 'laptop', team: 'acme', expiresInDays: 30 },
  input: z.object({
    name: KeyName,
    team: TeamId.optional().describe('Its team; the name of the key if absent.'),
    permissions: z
      .array(z.enum(permissions))
      .max(permissions.length)
      .default([])
      .describe('Options it may use, unless its team has permissions of its own.'),
    expiresInDays: z.number().positive().max(36_500).optional().describe('It never expires if absent.'),
  }),
  output: z.object({ name: z.string(), teamId: z.string(), key: z.string() }),
  errors: [],
  permissions: () => ['admin'],
  mcp: false,
  async run({ name, team = name, permissions: granted, expiresInDays: days }, { ports: { keys, clock } }) {
    const expiresAt = days === undefined ? undefined : Math.round(clock.now() + days * dayMs)
    return { name, teamId: team, ...(await keys.add({ name, teamId: team, permissions: granted, expiresAt })) }
  },
})
