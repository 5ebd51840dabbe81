import { z } from 'zod'
import { defineOperation } from '../kernel/operation.ts'
import { KeyName } from '../schema/team.ts'

export default defineOperation({
  name: 'admin_key_revoke',
  route: 'DELETE /v2/admin/keys/:name',
  title: 'Revoke a key',
  about: 'Revoke an API key: it opens nothing from now on. Needs the admin key.',
  effect: 'destroy',
  world: 'closed',
  example: { name: 'laptop' },
  input: z.object({ name: KeyName }),
  output: z.object({ name: z.string() }),
  errors: [],
  permissions: () => ['admin'],
  mcp: false,
  async run({ name }, { ports }) {
    await ports.keys.revoke(name)
    return { name }
  },
})
