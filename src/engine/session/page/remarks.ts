import type { ActionOutcome } from './types.ts'

type Attempted = { said: ActionOutcome } | { failure: string }

/** Adds remarks on the targets of an act to its outcome. */
export function withRemarks(attempted: Attempted, remarks: readonly string[]): Attempted {
  if (remarks.length === 0) return attempted
  const all = remarks.join('; ')
  if ('failure' in attempted) return { failure: `${attempted.failure} Before that: ${all}.` }
  const { said } = attempted
  return { said: { ...said, remark: [all, said.remark].filter(Boolean).join('; ') } }
}
