import { z } from 'zod'
import { interact as interactBehind, stopInteraction } from '../engine/session/interact-in-session.ts'
import { defineOperation } from '../kernel/operation.ts'
import { presentEnded, presentInteraction } from './present/present-session.ts'
import { ExecuteResult, InteractInput, PersonNeeded, ScrapeId, SessionEnded } from '../schema/session-schema.ts'

const { origin: _, ...shown } = InteractInput.shape

const InteractResult = z.object({
  ...ExecuteResult.shape,
  result: z
    .string()
    .nullable()
    .describe('Value of the last expression (node), otherwise the same as stdout; with a prompt, the page at the end.'),
  output: z.string().optional().describe('Answer to the prompt.'),
  steps: z
    .array(z.object({ acts: z.array(z.string()), ok: z.boolean() }))
    .optional()
    .describe('Acts performed for the prompt, without typed text.'),
  needsPerson: PersonNeeded.optional(),
  liveViewUrl: z.string().optional().describe('Secret URL of the page where people can watch.'),
  interactiveLiveViewUrl: z
    .string()
    .optional()
    .describe('Secret URL of the page where people can watch and take control.'),
})

export const interact = defineOperation({
  name: 'interact',
  route: 'POST /v2/scrape/:jobId/interact',
  title: 'Continue where a scrape ended',
  about:
    'Run code or a prompt on the live page behind a scrape, from its current state; later calls continue there. End it with browser_close.',
  effect: 'change',
  example: { jobId: '0190c2a0-0000-7000-8000-000000000000', code: "await page.click('text=Next')\nawait page.title()" },
  input: InteractInput,
  output: InteractResult,
  errors: [
    'JOB_NOT_FOUND',
    'JOB_OF_OTHER_TEAM',
    'REPLAY_UNAVAILABLE',
    'SESSION_GONE',
    'SESSION_NOT_FOUND',
    'SESSION_LIMIT',
    'SESSION_FAILED',
    'MODEL_UNAVAILABLE',
    'MODEL_FAILED',
    'MODEL_TIMEOUT',
    'SANDBOX_UNAVAILABLE',
    'BROWSER_UNAVAILABLE',
    'PROFILE_IN_USE',
    'PROFILE_UNREADABLE',
  ],
  job: { endpoint: 'interact', target: () => null, keep: (_input, { output, steps }) => steps && { output, steps } },
  // The price of the browser is known when it ends.
  price: () => 0,
  mcp: {
    arguments: z.object(shown),
    present: (output, { jobId }) => presentInteraction(output, jobId),
  },
  run: interactBehind,
})

export const interactStop = defineOperation({
  name: 'interact_stop',
  route: 'DELETE /v2/scrape/:jobId/interact',
  title: 'Close the browser behind a scrape',
  about: 'Close the live browser that interact opened.',
  effect: 'destroy',
  world: 'closed',
  example: { jobId: '0190c2a0-0000-7000-8000-000000000000' },
  input: z.object({ jobId: ScrapeId }),
  output: SessionEnded,
  errors: ['SESSION_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  mcp: { present: presentEnded, isBounded: true },
  run: stopInteraction,
})
