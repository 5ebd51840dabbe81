import { z } from 'zod'
import { defineOperation } from '../kernel/operation.ts'
import { Key } from '../schema/team.ts'

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

export default defineOperation({
  name: 'admin_keys',
  route: 'GET /v2/admin/keys',
  title: 'List keys',
  about: 'List the API keys, without their secrets, and when each was last used. Needs the admin key.',
  effect: 'read',
  world: 'closed',
  example: {},
  input: z.object({}),
  output: z.object({ keys: z.array(Key) }),
  errors: [],
  permissions: () => ['admin'],
  mcp: false,
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
