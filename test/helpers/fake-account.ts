import type { Account, TeamLimits } from '../../src/contracts/account-ports.ts'

export const fewLimits: TeamLimits = {
  maxConcurrency: 2,
  maxSessions: undefined,
  requestsPerMinute: {},
  monthlyCredits: undefined,
  unsandboxedCode: true,
  disabled: false,
  stoppedAt: -Infinity,
}

/** An account in which every team has the limits of `state` and uses none of them. */
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
