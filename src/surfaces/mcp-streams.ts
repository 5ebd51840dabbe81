import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import type { ResourceEvent, ResourceEvents } from './mcp-events.ts'

/**
 * The change events of a handler that all teams share. The SDK asks for them while it answers `subscriptions/listen`
 * and knows no teams, so that whose stream it is has to be known from around the request.
 */
export function createStreams(events: ResourceEvents): {
  bus: ServerEventBus
  during<T>(teamId: string, answer: () => T): T
} {
  const asking = new AsyncLocalStorage<string>()
  return {
    bus: {
      publish: () => {},
      subscribe: (listener) => {
        const teamId = asking.getStore()
        return teamId === undefined ? () => {} : events(teamId, (event) => listener(toServerEvent(event)))
      },
    },
    during: (teamId, answer) => asking.run(teamId, answer),
  }
}

const toServerEvent = (event: ResourceEvent): ServerEvent =>
  event.kind === 'list' ? { kind: 'resources_list_changed' } : { kind: 'resource_updated', uri: event.uri }
