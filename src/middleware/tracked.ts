import type { Policy } from '../kernel/invoke.ts'

/** The calls that are running, so that what they need is not closed under them. */
export function createRunning(): { tracked: Policy; settled(): Promise<void> } {
  const calls = new Set<Promise<unknown>>()
  return {
    tracked: (next) => (operation, input, ctx) => {
      const call = next(operation, input, ctx)
      calls.add(call)
      const forget = () => void calls.delete(call)
      call.then(forget, forget)
      return call
    },
    settled: async () => void (await Promise.allSettled(calls)),
  }
}
