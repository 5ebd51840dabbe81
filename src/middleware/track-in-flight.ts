import type { Middleware } from '../kernel/invoke.ts'

/** The running calls, so that nothing they need is closed under them. */
export function createInFlight(ended: () => void = () => {}): {
  track: Middleware
  isBusy(): boolean
  settled(): Promise<void>
} {
  const calls = new Set<Promise<unknown>>()
  return {
    track: (_operation, next) => (input, ctx) => {
      const call = next(input, ctx)
      calls.add(call)
      const forget = () => {
        calls.delete(call)
        ended()
      }
      call.then(forget, forget)
      return call
    },
    isBusy: () => calls.size > 0,
    settled: async () => void (await Promise.allSettled(calls)),
  }
}
