import { z } from 'zod'
import { runActions } from '../engine/session/run-actions.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentActs } from '../present/session.ts'
import { words } from '../schema/limits.ts'
import { ActsAtUrl, requireActs } from '../schema/page-actions.ts'
import { keep, PageUrl, PersonNeeded, SessionFile, SessionId } from '../schema/session.ts'

const askPerson = words(1000).optional().describe('What the user must do first.')

export default defineOperation({
  name: 'browser_act',
  route: 'POST /v2/browser/:sessionId/act',
  aliases: ['POST /v2/interact/:sessionId/act'],
  title: 'Act in a live browser',
  about:
    'Perform actions on the page of a browser session and report what changed; a new page comes as a snapshot. Send several at once where you can.',
  effect: 'change',
  example: {
    sessionId: '0190c2a0-0000-7000-8000-000000000000',
    acts: [
      { type: 'fill', target: 'Email', value: 'ann@example.com' },
      { type: 'click', target: 'button "Sign in"' },
    ],
  },
  input: z.object({ sessionId: SessionId, url: PageUrl, acts: ActsAtUrl, keep, askPerson }).superRefine(requireActs),
  output: z.object({
    ok: z.boolean().describe('True if all actions were performed.'),
    done: z.int().describe('Number of actions performed.'),
    url: z.string(),
    title: z.string(),
    text: z.string().describe('Result of each action, and what changed on the page.'),
    extracted: z.array(z.string()),
    screenshots: z.array(z.string()).optional().describe('Data URLs.'),
    files: z.array(SessionFile).optional().describe('Downloaded files: GET /v2/browser/{sessionId}/files/{id}.'),
    needsPerson: PersonNeeded.optional(),
  }),
  errors: ['SESSION_NOT_FOUND', 'SESSION_GONE', 'JOB_OF_OTHER_TEAM', 'SESSION_FAILED'],
  mcp: { present: presentActs, isBounded: true },
  run: runActions,
})
