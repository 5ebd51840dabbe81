import type { Server } from '@modelcontextprotocol/server'

/** The list of live resources changed, or one of them did. */
export type ResourceEvent = { kind: 'list' } | { kind: 'updated'; uri: string }
/** Starts telling a listener what happens to the resources of a team; returns how to stop. */
export type ResourceEvents = (teamId: string, listener: (event: ResourceEvent) => void) => () => void

/** What a server passes on of its team's events: a session what it subscribed to, a shared stream everything (it is filtered later). */
export type Hearing = 'all' | 'subscribed' | 'nothing'

const maxSubscriptions = 1000

/** Lets a server's client hear of changed resources; returns how to stop. */
export function forwardEvents(server: Server, events: ResourceEvents, teamId: string, hearing: Hearing): () => void {
  const subscribed = new Set<string>()
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (subscribed.size < maxSubscriptions) subscribed.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri)
    return {}
  })
  if (hearing === 'nothing') return () => {}
  return events(teamId, (event) => {
    if (event.kind === 'list') server.sendResourceListChanged().catch(() => {})
    else if (hearing === 'all' || subscribed.has(event.uri))
      server.sendResourceUpdated({ uri: event.uri }).catch(() => {})
  })
}
