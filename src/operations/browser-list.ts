import { z } from 'zod'
import { listSessions } from '../engine/session/create.ts'
import { defineOperation } from '../kernel/operation.ts'
import { ListedSession } from '../schema/session.ts'

export default defineOperation({
  name: 'browser_list',
  route: 'GET /v2/browser',
  aliases: ['GET /v2/interact'],
  title: 'List live browsers',
  about: 'List the browser sessions of your team, with their URLs and expiry times.',
  effect: 'read',
  world: 'closed',
  example: { status: 'active' },
  input: z.object({ status: z.enum(['active', 'destroyed']).optional().describe('Default: both.') }),
  output: z.object({ sessions: z.array(ListedSession) }),
  errors: [],
  run: ({ status }, ctx) => listSessions(status, ctx),
})
