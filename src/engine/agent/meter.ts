import type { Clock } from '../../contracts/ports.ts'
import type { AgentLimits } from '../../schema/workflow/agent.ts'

/** What one step took. */
export type Spent = { pages: number; credits: number; tokens: number; workedMs: number }

/**
 * What an agent has used of its budget. It counts only what is in the journal, so that a run that is taken up again
 * decides as the first one did, and the time in which no process worked is not counted.
 */
export type Meter = {
  add(spent: Spent): void
  left(): { pages: number; credits: number; tokens: number; ms: number }
  used(): { pages: number; credits: number; tokens: number }
  /** Time worked up to now, ms; asking starts the watch, so only steps that are really done may ask. */
  workedMs(): number
}

export function createMeter(clock: Clock, limits: AgentLimits): Meter {
  const sum = { pages: 0, credits: 0, tokens: 0 }
  let journalledMs = 0
  let since: { at: number; workedMs: number } | undefined
  return {
    add({ pages, credits, tokens, workedMs }) {
      sum.pages += pages
      sum.credits += credits
      sum.tokens += tokens
      journalledMs = Math.max(journalledMs, workedMs)
    },
    left: () => ({
      pages: limits.pages - sum.pages,
      credits: limits.credits - sum.credits,
      tokens: limits.tokens - sum.tokens,
      ms: limits.seconds * 1000 - journalledMs,
    }),
    used: () => ({ ...sum }),
    workedMs() {
      since ??= { at: clock.now(), workedMs: journalledMs }
      return since.workedMs + clock.now() - since.at
    },
  }
}
