export type Places = {
  /** So many at a time as a rule. */
  usual: number
  /** So many where somebody had to wait long. */
  most: number
  /** What is long, ms. */
  patienceMs: number
}
type PatientTurns = {
  /** Resolves when it is the caller's turn; rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<void>
  /** Ends a turn that was taken. */
  release(): void
}
type Waiting = { since: number; go(): void }

/** Turns in the order they came. Whoever waits too long because the others take long has one beyond the usual number. */
export function createPatientTurns({ usual, most, patienceMs }: Places): PatientTurns {
  let active = 0
  const line = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined

  const mayGo = ({ since }: Waiting) => active < usual || (active < most && performance.now() - since >= patienceMs)

  function serve(): void {
    clearTimeout(timer)
    timer = undefined
    for (const next of line) {
      if (!mayGo(next)) return lookAgain(next)
      active += 1
      next.go()
    }
  }

  function lookAgain({ since }: Waiting): void {
    if (active >= most) return
    // Timers may ring a little early, and must then not ring without a pause.
    timer = setTimeout(serve, Math.max(1, since + patienceMs - performance.now())).unref()
  }

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.delete(one)
        reject(signal.reason as Error)
      }
      const go = () => {
        line.delete(one)
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const one = { since: performance.now(), go }
      signal.addEventListener('abort', leave, { once: true })
      line.add(one)
      if (line.size === 1) lookAgain(one)
    })
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (active >= usual) return wait(signal)
      active += 1
    },
    release() {
      active -= 1
      serve()
    },
  }
}
