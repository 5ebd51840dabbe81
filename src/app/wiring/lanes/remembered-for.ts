type Known<T> = { at: number; answer: Promise<T> }

/** Asks again for a key only `ms` milliseconds after it was asked last, or after that failed. Older answers are forgotten. */
export function rememberedFor<T>(
  ms: number,
  ask: (key: string) => Promise<T>,
  known = new Map<string, Known<T>>(),
): (key: string) => Promise<T> {
  return (key) => {
    const now = performance.now()
    const last = known.get(key)
    if (last && now - last.at < ms) return last.answer
    forgetUntil(known, now - ms)
    const asked = { at: now, answer: ask(key) }
    known.set(key, asked)
    asked.answer.catch(() => {
      if (known.get(key) === asked) known.delete(key)
    })
    return asked.answer
  }
}

/** A map keeps its entries in the order they came, so the first are the oldest. */
function forgetUntil<T>(known: Map<string, Known<T>>, until: number): void {
  for (const [key, { at }] of known) {
    if (at > until) return
    known.delete(key)
  }
}
