import { z } from 'zod'
import { defineOperation } from '../kernel/operation.ts'
import { SessionEnded, SessionId } from '../schema/session.ts'

export default defineOperation({
  name: 'browser_close',
  route: 'DELETE /v2/browser/:sessionId',
  aliases: ['DELETE /v2/interact/:sessionId'],
  title: 'Close a live browser',
  about: 'Close a browser session; its profile is saved if it has one.',
  effect: 'destroy',
  world: 'closed',
  example: { sessionId: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ sessionId: SessionId }),
  output: SessionEnded,
  errors: ['SESSION_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  run: async ({ sessionId }, { ports, team }) => {
    const { durationMs, credits } = await ports.sessions.close({ id: sessionId, teamId: team.id })
    return { sessionDurationMs: durationMs, creditsBilled: credits }
  },
})
