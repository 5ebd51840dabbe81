import type { SessionEvent, SessionEvents } from '../../../contracts/session.ts'

export type SessionEventSource = {
  listen: SessionEvents
  /** Sessions of the team opened or ended. */
  listChanged(teamId: string): void
  /** One looks different: emitted at once, then at most once per `everyMs`. */
  changed(teamId: string, id: string): void
}

/** Emits session events; changes in quick succession become one later event. */
export function createEventSource(everyMs = 1000): SessionEventSource {
  const listeners = new Set<(event: SessionEvent) => void>()
  const throttled = new Map<string, 'quiet' | 'changed'>()
  const emit = (event: SessionEvent) => listeners.forEach((listener) => listener(event))

  function changed(teamId: string, id: string): void {
    if (listeners.size === 0) return
    if (throttled.has(id)) return void throttled.set(id, 'changed')
    throttled.set(id, 'quiet')
    emit({ kind: 'changed', teamId, id })
    setTimeout(() => {
      const isBehind = throttled.get(id) === 'changed'
      throttled.delete(id)
      if (isBehind) changed(teamId, id)
    }, everyMs).unref()
  }

  return {
    changed,
    listChanged: (teamId) => emit({ kind: 'list', teamId }),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
