import { z } from 'zod'
import { createBrowserSession } from '../engine/session/create.ts'
import { defineOperation } from '../kernel/operation.ts'
import { CreatedSession, CreateInput } from '../schema/session.ts'

const { ttl, activityTtl, profile } = CreateInput.shape

export default defineOperation({
  name: 'browser_create',
  route: 'POST /v2/browser',
  aliases: ['POST /v2/interact'],
  title: 'Open a live browser',
  about:
    'Open a browser that stays open between calls. Act with browser_act, look with browser_snapshot, run code with browser_execute, end it with browser_close.',
  effect: 'create',
  example: { ttl: 600, profile: { name: 'shop', saveChanges: false } },
  input: CreateInput,
  output: CreatedSession,
  errors: ['SESSION_LIMIT', 'SESSION_FAILED', 'BROWSER_UNAVAILABLE', 'PROFILE_IN_USE', 'PROFILE_UNREADABLE'],
  job: { endpoint: 'browser', target: () => null, keep: () => undefined, replay: (input) => input },
  // What it costs is known when it ends.
  price: () => 0,
  mcp: { arguments: z.object({ ttl, activityTtl, profile }), app: 'ui://gossamer/live-view' },
  run: createBrowserSession,
})
