import { expect, test } from 'vitest'
import type { TeamTerms } from '../../src/contracts/account-ports.ts'
import { createTeamLimits } from '../../src/engine/account/team-limits.ts'

const settings = {
  maxConcurrency: 16,
  maxSessions: undefined,
  requestsPerMinute: { '*': 60 },
  monthlyCredits: 100,
  unsandboxedCode: true,
}

/** A team that is neither disabled nor removed. */
const working = { disabled: false, stoppedAt: -Infinity }

function setting(terms?: TeamTerms) {
  const queriedTeams: string[] = []
  const stateOf = async (id: string) => {
    queriedTeams.push(id)
    return terms ?? {}
  }
  return { queriedTeams, limitsOf: createTeamLimits({ stateOf }, settings) }
}

test('a team without own limits has those of the settings', async () => {
  expect(await setting().limitsOf('acme')).toEqual({ ...settings, ...working })
  expect(await setting({}).limitsOf('acme')).toEqual({ ...settings, ...working })
})

test('limits of a team override the settings, and null means no limit', async () => {
  const { limitsOf } = setting({ maxConcurrency: 2, maxSessions: 0, requestsPerMinute: null, monthlyCredits: null })
  expect(await limitsOf('acme')).toEqual({
    maxConcurrency: 2,
    maxSessions: 0,
    requestsPerMinute: {},
    monthlyCredits: undefined,
    unsandboxedCode: true,
    ...working,
  })
})

/** Limits of a team with its own terms, under these settings. */
async function mayRun(own: boolean | undefined, bySettings: boolean): Promise<boolean> {
  const stateOf = async () => ({ unsandboxedCode: own })
  return (await createTeamLimits({ stateOf }, { ...settings, unsandboxedCode: bySettings })('acme')).unsandboxedCode
}

test('only the settings can allow code without a sandbox, and a team can only be denied it', async () => {
  expect([await mayRun(undefined, true), await mayRun(true, true), await mayRun(false, true)]).toEqual([
    true,
    true,
    false,
  ])
  expect([await mayRun(undefined, false), await mayRun(true, false)]).toEqual([false, false])
})
