import type { SweepTools } from '../db/sweep.ts'
import { createKeys } from './keys.ts'
import { createRefusals } from './refusals.ts'
import { createTeams } from './teams.ts'
import { createUsage } from './usage.ts'

/** What is kept of teams themselves, rather than of their jobs. */
export function createAccounts(tools: SweepTools) {
  const { db, clock } = tools
  const { idle, ...refusals } = createRefusals(tools)
  return { usage: createUsage(db), teams: createTeams(db, clock), keys: createKeys(db, clock), refusals, idle }
}
