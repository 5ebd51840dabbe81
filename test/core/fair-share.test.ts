import { expect, it } from 'vitest'
import { leavesShare } from '../../src/util/semaphore.ts'

/** Number of places of each team if one after the other takes all that it may. */
function greedy(teams: readonly string[], total: number): number[] {
  const holders: string[] = []
  for (const team of teams) while (leavesShare(team, holders, total)) holders.push(team)
  return teams.map((team) => holders.filter((holder) => holder === team).length)
}

it.each([
  [1, [1, 0]],
  [2, [1, 1, 0]],
  [3, [2, 1, 0]],
  [8, [4, 2, 1, 1, 0]],
  [1000, [500, 250, 125]],
])('of %i places a team leaves a share for the next', (total, wanted) => {
  const teams = wanted.map((_, nth) => `team ${nth}`)
  expect(greedy(teams, total)).toEqual(wanted)
})

it('a released share goes to the team that has less', () => {
  expect(leavesShare('red', ['red', 'red', 'blue'], 4)).toBe(false)
  expect(leavesShare('blue', ['red', 'red'], 4)).toBe(true)
  expect(leavesShare('red', ['red'], 4)).toBe(true)
})
