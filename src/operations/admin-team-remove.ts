import { z } from 'zod'
import { defineOperation } from '../kernel/operation.ts'
import { TeamId } from '../schema/team.ts'

export default defineOperation({
  name: 'admin_team_remove',
  route: 'DELETE /v2/admin/teams/:id',
  title: 'Remove a team',
  about: 'Remove the terms of a team and revoke its keys. Needs the admin key.',
  effect: 'destroy',
  world: 'closed',
  example: { id: 'acme' },
  input: z.object({ id: TeamId }),
  output: z.object({ id: z.string() }),
  errors: [],
  permissions: () => ['admin'],
  mcp: false,
  async run({ id }, { ports }) {
    await ports.teams.remove(id)
    return { id }
  },
})
