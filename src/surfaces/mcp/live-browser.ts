import type { ClientCapabilities, ReadResourceResult } from '@modelcontextprotocol/server'
import type { SessionEvents, SessionInfo, Sessions } from '../../contracts/session-port.ts'
import type { LiveResource, ResourceEvent, ResourceEvents } from './resources.ts'

/** A page that a client shows in the chat (MCP Apps, 2026-01-26). It can communicate only with the client. */
export type McpApp = {
  uri: `ui://${string}`
  name: string
  title: string
  description: string
  html(): Promise<string>
}

const appMimeType = 'text/html;profile=mcp-app'

const extension = 'io.modelcontextprotocol/ui'

/** Capability that a server with Apps declares. */
export const appExtension = { [extension]: { mimeTypes: [appMimeType] } }

export const knowsApps = ({ extensions }: ClientCapabilities): boolean => extensions?.[extension] !== undefined

/** Key under which a response contains data for an App. */
export const appDataKey = 'gossamer/data'

export const appResource = ({ uri, name, title, description }: McpApp): LiveResource => ({
  uri,
  name,
  title,
  description,
  mimeType: appMimeType,
})

/** The page as a resource. It declares no origins, so clients let the page connect nowhere. */
export const appContents = async ({ uri, html }: McpApp): Promise<ReadResourceResult['contents']> => [
  { uri, mimeType: appMimeType, text: await html(), _meta: { ui: { prefersBorder: true } } },
]

/** Settings that the page reads. */
const settings = { frameTool: 'browser_frame', dataKey: appDataKey, protocolVersion: '2026-01-26' }

/** App that shows a live browser in the chat. It gets pictures by calling a tool, so it works over stdio too. */
export const liveViewApp: McpApp = {
  uri: 'ui://gossamer/live-view',
  name: 'live-view',
  title: 'Live browser',
  description: 'Shows the browser of a session while it works.',
  html: async () => {
    const { loadPage } = await import('../../web/web-assets.ts')
    return (await loadPage('mcp-app-page.html')).replace('{}', JSON.stringify(settings))
  },
}

/** Minimum time between notifications, however many events there are. */
const gapMs = 1000

type Source = { sessions: Pick<Sessions, 'list'>; events: SessionEvents }

type Live = {
  liveResources(caller: { team: { id: string } }): Promise<readonly LiveResource[]>
  resourceEvents: ResourceEvents
}

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

/** Sends the first notification of a kind immediately. Of those that follow within the gap, only the newest is sent. */
function spaced<T>(notify: (what: T) => void): { next(kind: string, what: T): void; end(): void } {
  const waiting = new Map<string, { timer: NodeJS.Timeout; newest?: T }>()
  let isOver = false
  const next = (kind: string, what: T) => {
    if (isOver) return
    const earlier = waiting.get(kind)
    if (earlier) {
      earlier.newest = what
      return
    }
    const timer = setTimeout(() => {
      const newest = waiting.get(kind)?.newest
      waiting.delete(kind)
      if (newest !== undefined) next(kind, newest)
    }, gapMs).unref()
    waiting.set(kind, { timer })
    notify(what)
  }
  return {
    next,
    end: () => {
      isOver = true
      for (const { timer } of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
