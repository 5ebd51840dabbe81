import type { LiveNode } from '../../../contracts/cluster-nodes.ts'
import type { SessionEvent, SessionEvents } from '../../../contracts/session-port.ts'
import type { Log } from '../../../kernel/log.ts'

/** As often as servers renew their leases. */
const roundMs = 5000
/** Events may have been missed, of sessions of any team. */
const missed: SessionEvent = { kind: 'list', teamId: null }

export type Watch = { ended: Promise<void>; stop(): void }
type Parts = {
  /** Of this server. */
  id: string
  alive(): Promise<LiveNode[]>
  /** Has another server tell what happens to its sessions; undefined where it cannot be reached. */
  watch(node: LiveNode, heard: (event: SessionEvent) => void): Promise<Watch | undefined>
  /** Ends what a server left open that ended without doing so itself. */
  endLost(): Promise<void>
  log: Log
}
export type EventsElsewhere = {
  events: SessionEvents
  /** Nobody is asked before this. */
  begin(): void
}

/** What happens to the live sessions of the other servers, for as long as somebody here listens. */
export function createEventsElsewhere({ id, alive, watch, endLost, log }: Parts): EventsElsewhere {
  const listeners = new Set<(event: SessionEvent) => void>()
  let known = new Set<string>()
  let missing = new Set<string>()
  let hasBegun = false
  let timer: NodeJS.Timeout | undefined
  const tell = (event: SessionEvent) => listeners.forEach((listener) => listener(event))
  const watches = createWatches(watch, tell, log)

  async function round(): Promise<void> {
    const others = (await alive()).filter((node) => node.id !== id && node.role !== 'worker')
    const now = new Set(others.map((node) => node.id))
    // One that ends by itself leaves the list first, and its sessions end a moment later.
    if (missing.size > 0) await endLost()
    const gone = new Set([...known].filter((each) => !now.has(each)))
    if (missing.size > 0 || gone.size > 0) tell(missed)
    ;[known, missing] = [now, gone]
    if (timer === undefined) return
    others.forEach(watches.follow)
  }
  const look = () => void round().catch((cause: unknown) => log.debug('the servers are not known', { cause }))

  function settle(): void {
    const isWanted = hasBegun && listeners.size > 0
    if (isWanted === (timer !== undefined)) return
    if (isWanted) {
      timer = setInterval(look, roundMs).unref()
      return look()
    }
    clearInterval(timer)
    timer = undefined
    watches.stop()
    ;[known, missing] = [new Set(), new Set()]
  }
  return {
    events(listener) {
      listeners.add(listener)
      settle()
      return () => {
        listeners.delete(listener)
        settle()
      }
    },
    begin() {
      hasBegun = true
      settle()
    },
  }
}

/** One watch of each server, which can be begun again once it has ended. */
function createWatches(watch: Parts['watch'], tell: (event: SessionEvent) => void, log: Log) {
  const watched = new Map<string, { stop(): void }>()

  async function begin(node: LiveNode): Promise<void> {
    let isOver = false
    const entry = {
      stop() {
        isOver = true
      },
    }
    watched.set(node.id, entry)
    try {
      const watching = await watch(node, tell)
      if (watching === undefined) return
      if (isOver) return watching.stop()
      entry.stop = watching.stop
      // What happened before was told to nobody here.
      tell(missed)
      await watching.ended
    } catch (cause) {
      log.debug('the live browsers of a server cannot be watched', { node: node.id, cause })
    } finally {
      if (watched.get(node.id) === entry) watched.delete(node.id)
    }
  }

  return {
    follow: (node: LiveNode) => void (watched.has(node.id) || begin(node)),
    stop() {
      for (const { stop } of watched.values()) stop()
      watched.clear()
    },
  }
}
