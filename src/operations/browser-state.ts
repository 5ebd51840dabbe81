import { z } from 'zod'
import { sessionState } from '../engine/session/create.ts'
import { defineOperation } from '../kernel/operation.ts'
import { SessionId, SessionWithTabs } from '../schema/session.ts'

export default defineOperation({
  name: 'browser_state',
  route: 'GET /v2/browser/:sessionId',
  aliases: ['GET /v2/interact/:sessionId'],
  title: 'Status of a live browser',
  about: 'Show a browser session: its URLs, tabs and expiry time.',
  effect: 'read',
  example: { sessionId: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ sessionId: SessionId }),
  output: SessionWithTabs,
  errors: ['SESSION_NOT_FOUND', 'SESSION_GONE', 'JOB_OF_OTHER_TEAM', 'SESSION_FAILED'],
  mcp: {
    tool: false,
    resource: { template: 'browser-session://{sessionId}', name: 'Live browser', mimeType: 'application/json' },
  },
  run: ({ sessionId }, ctx) => sessionState(sessionId, ctx),
})
