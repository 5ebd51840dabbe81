import type { SessionEvents, SessionInfo, Sessions } from '../../contracts/session-port.ts'
import type { ResourceEvent, LiveResource } from './resources.ts'
import type { McpOptions } from './server-options.ts'

/** Minimum time between notifications, however many events there are. */
const gapMs = 1000

type Source = { sessions: Pick<Sessions, 'list'>; events: SessionEvents }

/** The McpOptions of the same names. */
type Live = { [N in 'liveResources' | 'resourceEvents']: NonNullable<McpOptions[N]> }

/** The open browsers of a team as resources (state, picture, text of the page), and their notifications. */
export function sessionResources({ sessions, events }: Source): Live {
  return {
    liveResources: async ({ team }) =>
      (await sessions.list({ teamId: team.id, status: 'active' })).flatMap(resourcesOf),
    resourceEvents: (teamId, listener) => {
      const notify = spaced<ResourceEvent>(listener)
      const changed = ({ id }: { id: string }) => {
        for (const uri of urisOf(id)) notify.next(uri, { kind: 'updated', uri })
      }
      const stop = events((event) => {
        if (event.teamId !== teamId && event.teamId !== null) return
        if (event.kind === 'changed') return changed(event)
        notify.next('list', { kind: 'list' })
        // Events of any session may have been missed, so each open one counts as changed.
        if (event.teamId === null)
          sessions.list({ teamId, status: 'active' }).then(
            (open) => open.forEach(changed),
            () => {},
          )
      })
      return () => {
        stop()
        notify.end()
      }
    },
  }
}

const urisOf = (id: string): readonly [string, string, string] => {
  const uri = `browser-session://${id}`
  return [uri, `${uri}/screenshot`, `${uri}/snapshot`]
}

function resourcesOf({ id, createdAt, kind }: SessionInfo): LiveResource[] {
  const [state, screenshot, snapshot] = urisOf(id)
  const since = `${kind === 'interact' ? 'Browser behind a scrape' : 'Browser'} open since ${new Date(createdAt).toISOString()}`
  return [
    {
      uri: state,
      name: 'Browser session',
      description: `${since}: tabs, addresses, expiry.`,
      mimeType: 'application/json',
    },
    { uri: screenshot, name: 'Browser screenshot', description: `${since}: how it looks now.`, mimeType: 'image/jpeg' },
    { uri: snapshot, name: 'Browser snapshot', description: `${since}: its page as text.`, mimeType: 'text/plain' },
  ]
}

/** Sends the first of a kind immediately; of those that follow too soon, the newest is sent after the gap. */
function spaced<T>(notify: (what: T) => void): { next(kind: string, what: T): void; end(): void } {
  const resting = new Map<string, { timer: NodeJS.Timeout; held?: T }>()
  let isOver = false
  const next = (kind: string, what: T) => {
    if (isOver) return
    const rest = resting.get(kind)
    if (rest) {
      rest.held = what
      return
    }
    const timer = setTimeout(() => {
      const held = resting.get(kind)?.held
      resting.delete(kind)
      if (held !== undefined) next(kind, held)
    }, gapMs).unref()
    resting.set(kind, { timer })
    notify(what)
  }
  return {
    next,
    end: () => {
      isOver = true
      for (const { timer } of resting.values()) clearTimeout(timer)
      resting.clear()
    },
  }
}
