import { z } from 'zod'
import { shownTeam } from '../engine/account/shown-team.ts'
import { defineOperation } from '../kernel/operation.ts'
import { Team } from '../schema/team.ts'

export default defineOperation({
  name: 'admin_teams',
  route: 'GET /v2/admin/teams',
  title: 'List teams',
  about: 'List the teams that have terms of their own. Needs the admin key.',
  effect: 'read',
  world: 'closed',
  example: {},
  input: z.object({}),
  output: z.object({ teams: z.array(Team) }),
  errors: [],
  permissions: () => ['admin'],
  mcp: false,
  run: async (_input, { ports }) => ({ teams: (await ports.teams.list()).map(shownTeam) }),
})
