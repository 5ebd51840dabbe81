const maxBatch = 64

/**
 * Writes one batch at a time: what is put while one is written goes into the next. `put` resolves when its item is
 * written, `idle` when all are that were put before. Neither ever fails; what cannot be written is told to `complain`.
 */
export function createWriter<T>(
  write: (items: readonly T[]) => Promise<void>,
  complain: (cause: unknown, items: number) => void,
): { put(item: T): Promise<void>; idle(): Promise<void> } {
  let open: { items: T[]; written: Promise<void> } | undefined
  let last = Promise.resolve()
  const flushed = async (items: readonly T[], before: Promise<void>) => {
    await before
    if (open?.items === items) open = undefined
    await write(items).catch((cause: unknown) => complain(cause, items.length))
  }
  const begin = () => {
    const items: T[] = []
    const written = flushed(items, last)
    last = written
    return { items, written }
  }
  return {
    put(item) {
      if (!open || open.items.length >= maxBatch) open = begin()
      open.items.push(item)
      return open.written
    },
    idle: () => last,
  }
}
