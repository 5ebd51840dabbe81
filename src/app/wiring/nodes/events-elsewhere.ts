import type { LiveNode } from '../../../contracts/cluster-nodes.ts'
import type { SessionEvent, SessionEvents } from '../../../contracts/session-port.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { Log } from '../../../kernel/log.ts'

/** Interval of the check, the same as that of lease renewals. */
const roundMs = 5000
/** Event sent after events may have been missed; it concerns the sessions of all teams. */
const missed: SessionEvent = { kind: 'list', teamId: null }

type Parts = {
  /** Id of this server. */
  id: string
  store: () => Promise<Pick<Store, 'messages'>>
  /** Events of this server, sent to the others. */
  own: SessionEvents
  alive(): Promise<LiveNode[]>
  /** Ends the sessions of servers that ended without doing so themselves. */
  endLost(): Promise<void>
  log: Log
}
type Message = SessionEvent & { from: string }

/** Events of live sessions on other servers, received through the database while there is a listener. */
export function createEventsElsewhere({ id, store, own, alive, endLost, log }: Parts) {
  const listeners = new Set<(event: SessionEvent) => void>()
  /** Servers of the last check, and those seen since, which may be gone before the next. */
  let known: ReadonlySet<string> = new Set()
  let hasBegun = false
  let following: { end(): void } | undefined
  const emit = (event: SessionEvent) => listeners.forEach((listener) => listener(event))
  const failed = (cause: unknown) => log.debug('events of live browsers are not passed on', { cause })

  own((event) => {
    const message: Message = { from: id, ...event }
    store()
      .then(async ({ messages }) => messages?.send(JSON.stringify(message)), failed)
      .catch(failed)
  })

  function receive(text: string | undefined): void {
    if (text === undefined) return emit(missed)
    const { from, ...event } = JSON.parse(text) as Message
    if (from === id) return
    known = new Set([...known, from])
    emit(event)
  }

  /** A killed server sends no events for the end of its sessions. */
  const look = async () => {
    const now = new Set((await alive()).map((node) => node.id))
    const isLost = [...known].some((each) => !now.has(each))
    known = now
    if (!isLost) return
    await endLost()
    emit(missed)
  }
  const follow = () => watch({ store, receive, look, failed })

  function settle(): void {
    const isWanted = hasBegun && listeners.size > 0
    if (isWanted) following ??= follow()
    else following = void following?.end()
  }
  const events: SessionEvents = (listener) => {
    listeners.add(listener)
    settle()
    return () => {
      listeners.delete(listener)
      settle()
    }
  }
  return {
    events,
    /** Starts listening. */
    begin() {
      hasBegun = true
      settle()
    },
  }
}

type Watch = Pick<Parts, 'store'> & {
  receive(text: string | undefined): void
  /** Compares the current servers with those that were known. */
  look(): Promise<void>
  failed(cause: unknown): void
}

function watch({ store, receive, look, failed }: Watch): { end(): void } {
  const round = () => void look().catch(failed)
  const timer = setInterval(round, roundMs).unref()
  const listening = store().then(({ messages }) => messages?.listen(receive))
  listening.catch(failed)
  round()
  return {
    end() {
      clearInterval(timer)
      listening.then((end) => end?.(), failed).catch(failed)
    },
  }
}
