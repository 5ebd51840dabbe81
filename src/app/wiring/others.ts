import type { Store } from '../../engine/store/store.ts'
import type { Log } from '../../kernel/log.ts'

/** Looked at all the same so often: who has died leaves work behind and tells nobody. */
const roundMs = 15_000

/** Wakes the work of this program, and from then on whenever another machine begins a job on the same database. */
export function createOthers(store: () => Promise<Store>, wake: () => void, log: Log) {
  let isClosed = false
  let following: Promise<(() => Promise<void>) | undefined> | undefined

  async function listen(): Promise<(() => Promise<void>) | undefined> {
    const { listen: listenTo } = await store()
    // The data is of this machine alone, or the program ends already.
    if (listenTo === undefined || isClosed) return undefined
    const end = listenTo(wake)
    const timer = setInterval(wake, roundMs).unref()
    return async () => {
      clearInterval(timer)
      await end()
    }
  }

  return {
    follow(): void {
      wake()
      following ??= listen().catch((cause: unknown) => void log.error('jobs of other machines are not seen', { cause }))
    },
    async close(): Promise<void> {
      isClosed = true
      await (
        await following
      )?.()
    },
  }
}
