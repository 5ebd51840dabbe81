import { abortReason } from '../../../util/deadline.ts'

/** Pages of a team that wait to be read while its next ones are fetched: enough that the reader need not wait for them. */
const enough = 2

type Backlog = { waiting: number; reading: number; held: Set<() => void> }
/** Of a page that has been fetched. */
export type Place = {
  /** Its turn has come. */
  begin(): void
  /** It has been read, or nobody wants it any more. */
  leave(): void
}

/**
 * Holds fetches back while enough pages of the team wait to be read. What has been fetched lives through collections of
 * garbage until its turn comes, and where a site answers faster than pages are read, all of a lane's would be waiting.
 */
export function createBacklogs() {
  const teams = new Map<string, Backlog>()

  function forgetIdle(teamId: string, { waiting, reading, held }: Backlog): void {
    if (waiting + reading + held.size === 0) teams.delete(teamId)
  }

  return {
    /** Resolves when a page of the team may be fetched; rejects with the signal's reason. */
    async mayFetch(teamId: string, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted()
      const backlog = teams.get(teamId)
      if (!backlog || backlog.waiting < enough) return
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const giveUp = () => {
        backlog.held.delete(resolve)
        forgetIdle(teamId, backlog)
        reject(abortReason(signal))
      }
      backlog.held.add(resolve)
      signal.addEventListener('abort', giveUp, { once: true })
      await promise.finally(() => signal.removeEventListener('abort', giveUp))
    },

    /** A page of the team is there to be read. */
    enter(teamId: string): Place {
      const backlog = teams.get(teamId) ?? { waiting: 0, reading: 0, held: new Set() }
      teams.set(teamId, backlog)
      backlog.waiting += 1
      let isWaiting = true
      function begin(): void {
        if (!isWaiting) return
        isWaiting = false
        backlog.waiting -= 1
        backlog.reading += 1
        release(backlog, 1)
      }
      return {
        begin,
        leave() {
          begin()
          backlog.reading -= 1
          // The site is slower than the reader.
          if (backlog.waiting === 0) release(backlog, Infinity)
          forgetIdle(teamId, backlog)
        },
      }
    },
  }
}

export type Backlogs = ReturnType<typeof createBacklogs>

function release({ held }: Backlog, most: number): void {
  let many = 0
  for (const go of held) {
    if (many++ >= most) return
    held.delete(go)
    go()
  }
}
