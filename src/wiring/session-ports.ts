import { lazyPort, once } from '../core/lazy.ts'
import type { SessionEvent, SessionEvents, Sessions } from '../core/session.ts'
import type { OpenSessions } from '../engine/session/sessions.ts'

/** The port of live browsers, which is opened by the first call, and what happens to them, of which others may hear before. */
export function sessionPorts(openAll: () => Promise<OpenSessions>) {
  const listeners = new Set<(event: SessionEvent) => void>()
  const open = once(async () => {
    const opened = await openAll()
    opened.listen((event) => listeners.forEach((listener) => listener(event)))
    return opened
  })
  const events: SessionEvents = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    events,
    port: lazyPort<Sessions>(open, {
      create: true,
      find: true,
      list: true,
      state: true,
      canRun: true,
      execute: true,
      snapshot: true,
      act: true,
      picture: true,
      close: true,
      baseUrl: true,
      door: true,
    }),
    close: () => open.close((opened) => opened.end()),
  }
}
