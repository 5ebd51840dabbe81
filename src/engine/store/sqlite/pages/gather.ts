const maxWaitMs = 25

export type Gatherer<T> = {
  /** Resolves when the item is written. */
  put(item: T): Promise<void>
  /** What waits is written now. */
  hasten(): void
}

type Waiting<T> = { item: T; resolve(): void; reject(reason: unknown): void }

/**
 * Has items written together that come within 25 ms of each other, until `isFull` says that no more should be added; one
 * such group after the other. Where the writing of many fails, each is written by itself.
 */
export function gatherer<T>(
  write: (items: readonly T[]) => Promise<void>,
  isFull: (items: readonly T[]) => boolean,
): Gatherer<T> {
  let waiting: Waiting<T>[] = []
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  const writeAll = async (some: readonly Waiting<T>[]): Promise<void> => {
    try {
      await write(some.map(({ item }) => item))
      for (const { resolve } of some) resolve()
    } catch (thrown) {
      if (some.length === 1) return some[0]?.reject(thrown)
      for (const one of some) await writeAll([one])
    }
  }
  const hasten = () => {
    clearTimeout(timer)
    timer = undefined
    const some = waiting
    waiting = []
    if (some.length > 0) last = last.then(() => writeAll(some))
  }
  return {
    put(item) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ item, resolve, reject })
      if (isFull(waiting.map((each) => each.item))) hasten()
      else timer ??= setTimeout(hasten, maxWaitMs)
      return promise
    },
    hasten,
  }
}
