import { expect, test } from 'vitest'
import type { TeamTerms } from '../../src/contracts/account.ts'
import { createTeamLimits } from '../../src/engine/account/team-limits.ts'

const settings = { maxConcurrency: 16, maxSessions: undefined, requestsPerMinute: { '*': 60 }, monthlyCredits: 100 }

function setting(terms?: TeamTerms) {
  const asked: string[] = []
  const find = async (id: string) => {
    asked.push(id)
    return terms && { id, createdAt: 0, terms }
  }
  return { asked, limitsOf: createTeamLimits({ find }, settings) }
}

test('a team without terms has the limits of the settings', async () => {
  expect(await setting().limitsOf('acme')).toEqual(settings)
  expect(await setting({}).limitsOf('acme')).toEqual(settings)
})

test('what a team has of its own takes their place, and null is no limit', async () => {
  const { limitsOf } = setting({ maxConcurrency: 2, maxSessions: 0, requestsPerMinute: null, monthlyCredits: null })
  expect(await limitsOf('acme')).toEqual({
    maxConcurrency: 2,
    maxSessions: 0,
    requestsPerMinute: {},
    monthlyCredits: undefined,
  })
})

test('for the local team no database is asked', async () => {
  const { asked, limitsOf } = setting({ maxConcurrency: 2 })
  expect(await limitsOf('local')).toEqual(settings)
  expect(asked).toEqual([])
})
