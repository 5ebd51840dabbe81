import type { SessionEvent, SessionEvents } from '../../../contracts/session.ts'

export type News = {
  listen: SessionEvents
  /** Sessions of the team came or went. */
  listed(teamId: string): void
  /** One looks different; told at once, and then again when it changed since, once in `everyMs`. */
  changed(teamId: string, id: string): void
}

/** Tells whoever listens of sessions. What happens faster than anybody wants to hear is told later, and once. */
export function createNews(everyMs = 1000): News {
  const listeners = new Set<(event: SessionEvent) => void>()
  const resting = new Map<string, 'quiet' | 'changed'>()
  const tell = (event: SessionEvent) => listeners.forEach((listener) => listener(event))

  function changed(teamId: string, id: string): void {
    if (listeners.size === 0) return
    if (resting.has(id)) return void resting.set(id, 'changed')
    resting.set(id, 'quiet')
    tell({ kind: 'changed', teamId, id })
    setTimeout(() => {
      const isBehind = resting.get(id) === 'changed'
      resting.delete(id)
      if (isBehind) changed(teamId, id)
    }, everyMs).unref()
  }

  return {
    changed,
    listed: (teamId) => tell({ kind: 'list', teamId }),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
