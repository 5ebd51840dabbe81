export type Rounds = {
  /** Starts a round, or another one after the current. */
  wake(): void
  /** Starts no more rounds, and resolves once the current one has ended. */
  close(): Promise<void>
}

export type RoundsOptions = {
  /** Resolves to the pause until the next round, ms; undefined waits for `wake`. */
  round(): Promise<number | undefined>
  /** Logs why a round failed; returns the pause as `round` does. */
  failed(cause: unknown): number
  /** Called when there is nothing left to do. */
  rested?: (() => void) | undefined
}

/**
 * Background work in rounds, one at a time. After a call of `wake` during a round, another round follows; a call during
 * a pause ends the pause. Pauses do not keep the process alive.
 */
export function createRounds({ round, failed, rested }: RoundsOptions): Rounds {
  const state = { isWanted: false, isClosed: false }
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function work(): Promise<void> {
    clearTimeout(timer)
    let pauseMs: number | undefined
    while (state.isWanted && !state.isClosed) {
      state.isWanted = false
      pauseMs = await round().catch(failed)
    }
    if (state.isClosed) return
    if (pauseMs === undefined) rested?.()
    else timer = setTimeout(wake, pauseMs).unref()
  }

  function wake(): void {
    state.isWanted = true
    if (state.isClosed) return
    running ??= work().finally(() => {
      running = undefined
      // `wake` may have been called after the last check of `isWanted`.
      if (state.isWanted) wake()
    })
  }

  return {
    wake,
    async close() {
      state.isClosed = true
      await running
      clearTimeout(timer)
    },
  }
}
