import { z } from 'zod'
import { screenshotPage } from '../engine/session/observe.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentFrame } from '../present/session.ts'
import { SessionId, SessionWithTabs } from '../schema/session.ts'

export default defineOperation({
  name: 'browser_frame',
  route: 'GET /v2/browser/:sessionId/screenshot',
  aliases: ['GET /v2/interact/:sessionId/screenshot'],
  title: 'Screenshot of a live browser',
  about: 'Take a screenshot of the current tab of a browser session.',
  effect: 'read',
  example: { sessionId: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ sessionId: SessionId }),
  output: z.object({
    base64: z.string(),
    mimeType: z.enum(['image/jpeg', 'image/png']),
    url: z.string(),
    title: z.string(),
    tabs: SessionWithTabs.shape.tabs,
    interactiveLiveViewUrl: z.string().optional(),
  }),
  errors: ['SESSION_NOT_FOUND', 'SESSION_GONE', 'JOB_OF_OTHER_TEAM', 'SESSION_FAILED'],
  mcp: {
    visibility: 'app',
    resource: {
      template: 'browser-session://{sessionId}/screenshot',
      name: 'Live browser: screenshot',
      mimeType: 'image/jpeg',
    },
    present: (frame) => presentFrame(frame),
    data: ({ url, title, tabs, interactiveLiveViewUrl }) => ({ url, title, tabs, interactiveLiveViewUrl }),
  },
  run: ({ sessionId }, ctx) => screenshotPage(sessionId, ctx),
})
