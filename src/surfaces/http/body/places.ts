import { fail, failure } from '../../../kernel/error.ts'
import { createFairSemaphore } from '../../../util/semaphore.ts'

/** What a large body is: a list of many things, or a file in base64. */
export type BodyKind = 'list' | 'file'
export type Body = { kind: BodyKind; teamId: string; signal: AbortSignal }
/** Gives a place back; a second call does nothing. */
export type Leave = () => void

/**
 * For calls with a body that others may not have. They wait for a place before their body is read on, and for another before
 * something is made of it, which takes many times its bytes. Both fail with QUEUE_FULL where none becomes free in time.
 */
export type Places = {
  /** `announced` is the length of the body as its headers tell it, in bytes. */
  read(body: Body & { announced?: number | undefined }): Promise<Leave>
  work(body: Body & { bytes: number }): Promise<Leave>
}

/** What has more may take a hundred megabytes or two, one at a time. */
const largeBytes = { list: 2 ** 20, file: 8 * 2 ** 20 }
/** Lists of more, or of unknown length, are read one at a time. */
const longListBytes = 8 * 2 ** 20
/** Shorter than the time that a client has for its request. */
const longestWaitMs = 90_000

/**
 * Of long lists the database takes one after the other, so that a second one would only lie in memory meanwhile: there is no
 * further place for another team, which waits while one comes slowly. Of all else there is, once another team has waited a second.
 */
const limits = {
  list: { read: { usual: 1 }, small: { usual: 4 }, large: { usual: 1, reserved: 0 } },
  file: { read: { usual: 2 }, small: { usual: 8 }, large: { usual: 1 } },
}

export function createPlaces(waitMs = longestWaitMs): Places {
  const pools = { list: poolsOf('list'), file: poolsOf('file') }
  const longLists = createFairSemaphore({ usual: 1, reserved: 0 })
  return {
    read({ kind, announced = Infinity, ...body }) {
      const isLong = kind === 'list' && announced > longListBytes
      return enter(isLong ? longLists : pools[kind].read, body, waitMs)
    },
    work: ({ kind, bytes, ...body }) => enter(pools[kind][bytes > largeBytes[kind] ? 'large' : 'small'], body, waitMs),
  }
}

const poolsOf = (kind: BodyKind) => ({
  read: createFairSemaphore(limits[kind].read),
  small: createFairSemaphore(limits[kind].small),
  large: createFairSemaphore(limits[kind].large),
})

async function enter(
  pool: ReturnType<typeof createFairSemaphore>,
  { teamId, signal }: Omit<Body, 'kind'>,
  waitMs: number,
): Promise<Leave> {
  const late = AbortSignal.timeout(waitMs)
  const release = await pool.acquire(teamId, AbortSignal.any([signal, late])).catch((reason: unknown) => {
    if (signal.aborted || !late.aborted) throw reason
    return fail('QUEUE_FULL', { message: 'Too many large bodies are waiting.', cause: reason })
  })
  return once(release)
}

function once(release: () => void): Leave {
  let isLeft = false
  return () => {
    if (!isLeft) release()
    isLeft = true
  }
}

/** How a body comes: `admit` waits for its place, `tooLate` rejects when it then takes too long, `end` gives the place back. */
export function createArrival(takePlace: () => Promise<Leave>, arrivalMs: number) {
  const over = new AbortController()
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  tooLate.catch(() => {})
  const held: { leave?: Leave; timer?: NodeJS.Timeout } = {}
  const cut = () => {
    const message = `A body of that size must arrive within ${arrivalMs / 1000} s.`
    const fault = failure('BAD_REQUEST', { message, hint: 'Send it faster, or in several calls.' })
    over.abort(fault)
    reject(fault)
  }
  return {
    tooLate,
    late: over.signal,
    async admit() {
      held.leave = await takePlace()
      held.timer = setTimeout(cut, arrivalMs)
    },
    end() {
      clearTimeout(held.timer)
      held.leave?.()
    },
  }
}
