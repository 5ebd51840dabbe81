import type { SessionAction } from '../../../contracts/render-port.ts'
import type { LiveTab } from './live-tab.ts'
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

/** Says that an act made the page open a file chooser, which it cannot use. */
export const chooserRemark = ({ memory }: LiveTab, { type: kind }: SessionAction): ActionOutcome =>
  memory.chooser && kind !== 'upload'
    ? { remark: 'opened a file chooser, which was closed: use upload with the same target', hasEffect: true }
    : {}
