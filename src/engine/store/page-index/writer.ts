const maxBatch = 1024
/** A transaction of so much text holds up the database for about 50 ms. */
const maxWeight = 2 ** 21
/** A page in a transaction of its own costs four times what it costs among many. */
const gatheringMs = 1000

type Batch<T> = { items: T[]; weight: number; written: Promise<void>; release(): void }

/**
 * Writes one batch at a time. What comes after a quiet second is written at once, and gathered for a second after that.
 * `put` resolves when its item is written; `idle` has all written that was put before, now. Neither ever fails; what
 * cannot be written is told to `complain`.
 */
export function createWriter<T>(
  write: (items: readonly T[]) => Promise<void>,
  complain: (cause: unknown, items: number) => void,
  weigh: (item: T) => number,
): { put(item: T): Promise<void>; idle(): Promise<void> } {
  let open: Batch<T> | undefined
  let last = Promise.resolve()
  let quietAt = -Infinity
  const flushed = async (items: readonly T[], before: Promise<unknown>) => {
    await before
    if (open?.items === items) open = undefined
    quietAt = performance.now() + gatheringMs
    await write(items).catch((cause: unknown) => complain(cause, items.length))
  }
  const begin = (): Batch<T> => {
    const items: T[] = []
    const { promise: gathered, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, Math.max(0, quietAt - performance.now()))
    const written = flushed(items, Promise.all([gathered, last]))
    last = written
    const release = () => {
      clearTimeout(timer)
      resolve()
    }
    return { items, weight: 0, written, release }
  }
  return {
    put(item) {
      open ??= begin()
      const { items, written, release } = open
      items.push(item)
      open.weight += weigh(item)
      if (items.length >= maxBatch || open.weight >= maxWeight) {
        release()
        open = undefined
      }
      return written
    },
    idle() {
      open?.release()
      return last
    },
  }
}
