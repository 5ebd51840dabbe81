import { createDashboard } from '../../src/surfaces/dashboard/dashboard.ts'
import { newCtx, validating } from './toys.ts'

type Needed = 'operations' | 'authenticate'

/** A dashboard that shows no jobs. */
export const toyDashboard = (given: Pick<Parameters<typeof createDashboard>[0], Needed>) =>
  createDashboard({
    tools: [],
    invoke: validating,
    newCtx,
    findRecordedCall: async () => undefined,
    monitorOf: async () => undefined,
    runningJobs: async () => [],
    crawlFacts: async () => ({ refused: 0, refusedPages: [] }),
    timelineOf: async () => ({ acts: [] }),
    ...given,
  })
