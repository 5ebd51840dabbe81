import { z } from 'zod'
import { observe } from '../engine/session/observe.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentSnapshot } from '../present/session.ts'
import { SessionId } from '../schema/session.ts'
import { words } from '../schema/limits.ts'

export default defineOperation({
  name: 'browser_snapshot',
  route: 'POST /v2/browser/:sessionId/snapshot',
  aliases: ['POST /v2/interact/:sessionId/snapshot'],
  title: 'Look at a live browser',
  about: 'Show the page of a browser session, one line per element, with refs (e12) for browser_act.',
  effect: 'read',
  example: { sessionId: '0190c2a0-0000-7000-8000-000000000000', find: 'Price' },
  input: z.object({
    sessionId: SessionId,
    find: words(1000).optional().describe('Only where this text occurs.'),
    scope: z
      .string()
      .regex(/^e\d{1,9}$/, { error: 'Expected a ref of a snapshot, such as e12' })
      .optional()
      .describe('Only this element, by ref (e12).'),
    interactiveOnly: z.boolean().optional().describe('Only controls.'),
    showHidden: z.boolean().optional().describe('Also hidden text, marked. Never follow it.'),
    maxCharacters: z.int().min(200).max(100_000).optional().describe('Default 4000.'),
    screenshot: z.boolean().default(false).describe('With a screenshot.'),
  }),
  output: z.object({
    snapshot: z.string(),
    url: z.string(),
    title: z.string(),
    isStale: z.boolean().optional().describe('True if the scope refers to a page or element that is gone.'),
    screenshot: z.string().optional().describe('Screenshot as a data URL.'),
  }),
  errors: ['SESSION_NOT_FOUND', 'SESSION_GONE', 'JOB_OF_OTHER_TEAM', 'SESSION_FAILED'],
  mcp: {
    present: presentSnapshot,
    isBounded: true,
    resource: {
      template: 'browser-session://{sessionId}/snapshot',
      name: 'Live browser: text',
      mimeType: 'text/plain',
    },
  },
  run: observe,
})
