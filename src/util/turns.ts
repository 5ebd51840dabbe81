let last = Promise.resolve()

/**
 * A turn of the event loop of one's own: whoever does work that takes a while does a part of it in each turn, and one alone
 * does so in a turn, however many ask, so that everybody else is answered in between.
 */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
  return last
}

/** A long list in parts, each in a turn of its own; a list of one part needs none. */
export async function* inTurns<T>(list: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) {
    if (list.length > size) await ownTurn()
    yield list.slice(at, at + size)
  }
}
