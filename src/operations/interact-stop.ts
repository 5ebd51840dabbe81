import { z } from 'zod'
import { stopInteraction } from '../engine/session/interact.ts'
import { defineOperation } from '../kernel/operation.ts'
import { ScrapeId, SessionEnded } from '../schema/session.ts'

export default defineOperation({
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
  run: stopInteraction,
})
