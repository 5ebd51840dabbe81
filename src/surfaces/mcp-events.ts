import type { Server } from '@modelcontextprotocol/server'

/** The list of live resources changed, or one of them did. */
export type ResourceEvent = { kind: 'list' } | { kind: 'updated'; uri: string }
/** Starts telling a listener; returns how to stop. */
export type ResourceEvents = (listener: (event: ResourceEvent) => void) => () => void

/** What a server passes on of events: a session what it subscribed to, a shared stream everything (it is filtered later). */
export type Hearing = 'all' | 'subscribed' | 'nothing'

const maxSubscriptions = 1000

/** Lets a server's client hear of changed resources until the server closes. */
export function forwardEvents(server: Server, events: ResourceEvents, hearing: Hearing): void {
  const subscribed = new Set<string>()
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (subscribed.size < maxSubscriptions) subscribed.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri)
    return {}
  })
  if (hearing === 'nothing') return
  const stop = events((event) => {
    if (event.kind === 'list') server.sendResourceListChanged().catch(() => {})
    else if (hearing === 'all' || subscribed.has(event.uri))
      server.sendResourceUpdated({ uri: event.uri }).catch(() => {})
  })
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no listeners
  server.onclose = stop
}
