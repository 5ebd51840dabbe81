import type { Account, TeamLimits } from '../../src/contracts/account-ports.ts'

export const fewLimits: TeamLimits = {
  maxConcurrency: 2,
  maxSessions: undefined,
  requestsPerMinute: {},
  monthlyCredits: undefined,
  unsandboxedCode: true,
}

/** Every team has the limits of `state`, and none of it in use. */
export const fakeAccount = (state: { limits: TeamLimits; used: number }): Account => ({
  limitsOf: async () => state.limits,
  jobRetentionMs: 86_400_000,
  load: async () => ({ active: 0, waiting: 0 }),
  take: async () => ({ hasWaited: false, release: () => {} }),
  enter: async () => () => {},
  countCall: async () => undefined,
  holdCredits: async ({ credits, monthlyCredits }) => (state.used + credits <= monthlyCredits ? () => {} : undefined),
  releaseCredits: async () => {},
})
