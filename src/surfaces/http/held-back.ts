import { setTimeout as sleep } from 'node:timers/promises'
import { isFinished, type JobState } from '../../kernel/operation.ts'
import type { RouteMatch } from '../../kernel/route.ts'

const pauseMs = 200

const longestMs = 1000

/**
 * Clients of the public service follow `next` of a running job without a pause, hundreds of times a second. So an answer
 * to that which holds no result is kept back for a second, or until there is one.
 */
export const mayHoldBack = ({ operation, query }: RouteMatch): boolean =>
  operation.watch !== undefined && query['skip'] !== undefined

export async function heldBack(call: () => Promise<object>, signal: AbortSignal): Promise<object> {
  const endsAt = performance.now() + longestMs
  let output = await call()
  while (isWithoutNews(output as JobState) && performance.now() < endsAt) {
    await sleep(pauseMs, undefined, { signal })
    output = await call()
  }
  return output
}

const isWithoutNews = (state: JobState) => !isFinished(state) && state.data.length === 0
