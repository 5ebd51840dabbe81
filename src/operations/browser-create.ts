import { createBrowserSession } from '../engine/session/create.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentCreated } from '../present/session.ts'
import { CreatedSession, CreateInput } from '../schema/session.ts'

export default defineOperation({
  name: 'browser_create',
  route: 'POST /v2/browser',
  aliases: ['POST /v2/interact'],
  title: 'Open a live browser',
  about: 'Open a browser that stays open between calls, at url if given; browser_close ends it.',
  effect: 'create',
  example: { ttl: 600, profile: { name: 'shop', saveChanges: false } },
  input: CreateInput,
  output: CreatedSession,
  errors: ['SESSION_LIMIT', 'SESSION_FAILED', 'BROWSER_UNAVAILABLE', 'PROFILE_IN_USE', 'PROFILE_UNREADABLE'],
  job: { endpoint: 'browser', target: ({ url }) => url ?? null, keep: () => undefined, replay: (input) => input },
  // What it costs is known when it ends.
  price: () => 0,
  mcp: {
    arguments: CreateInput.pick({ url: true, ttl: true, activityTtl: true, headless: true, profile: true }),
    app: 'ui://gossamer/live-view',
    present: presentCreated,
    isBounded: true,
    data: ({ id, liveViewUrl, interactiveLiveViewUrl }) => ({ sessionId: id, liveViewUrl, interactiveLiveViewUrl }),
  },
  run: createBrowserSession,
})
