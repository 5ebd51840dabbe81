import type { Session } from './session.ts'

/** The same session for one visit: all that is listened to in it ends together. */
export function hearing(session: Session): { session: Session; end(): void } {
  const ends: (() => void)[] = []
  const on: Session['on'] = (event, listener) => {
    const end = session.on(event, listener)
    ends.push(end)
    return end
  }
  return { session: { ...session, on }, end: () => ends.forEach((end) => end()) }
}
