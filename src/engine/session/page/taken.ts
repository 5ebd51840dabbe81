import type { ActionOutcome } from './types.ts'

type Attempted = { said: ActionOutcome } | { failure: string }

/** The same, with the elements that its targets were taken as where these are not just their names. */
export function withTaken(attempted: Attempted, all: readonly string[]): Attempted {
  if (all.length === 0) return attempted
  const taken = `taken as ${all.join(', ')}`
  if ('failure' in attempted) return { failure: `${attempted.failure} The target was ${taken}.` }
  const { said } = attempted
  return { said: { ...said, remark: [taken, said.remark].filter(Boolean).join('; ') } }
}
