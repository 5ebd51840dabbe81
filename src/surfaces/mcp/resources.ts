import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type Server,
} from '@modelcontextprotocol/server'
import type { AnyOperation, McpFace, Presentation } from '../../kernel/operation.ts'
import { wholeText } from './content.ts'
import { percentDecoded } from '../../util/words.ts'

/** The list of live resources changed, or one of them did. */
export type ResourceEvent = { kind: 'list' } | { kind: 'updated'; uri: string }
/** Subscribes a listener to changes of a team's resources; returns the function that unsubscribes. */
export type ResourceEvents = (teamId: string, listener: (event: ResourceEvent) => void) => () => void

/** Events that a server forwards: those its client subscribed to, all (the transport filters them), or none. */
export type EventScope = 'all' | 'subscribed' | 'nothing'

const maxSubscriptions = 1000

/** Notifies a server's client of changed resources; returns the function that stops it. */
export function forwardEvents(
  server: Server,
  events: ResourceEvents,
  teamId: string,
  eventScope: EventScope,
): () => void {
  const subscribed = new Set<string>()
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    if (subscribed.size < maxSubscriptions) subscribed.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri)
    return {}
  })
  if (eventScope === 'nothing') return () => {}
  return events(teamId, (event) => {
    if (event.kind === 'list') server.sendResourceListChanged().catch(() => {})
    else if (eventScope === 'all' || subscribed.has(event.uri))
      server.sendResourceUpdated({ uri: event.uri }).catch(() => {})
  })
}

export type LiveResource = Pick<Resource, 'uri' | 'name' | 'title' | 'description' | 'mimeType'>

type Face = NonNullable<McpFace<object, object>['resource']>
export type McpResource = { operation: AnyOperation; template: ResourceTemplateType; mimeType: string; pattern: RegExp }

/** Operations whose responses can also be read as resources. */
export function mcpResources(operations: readonly AnyOperation[]): readonly McpResource[] {
  return operations.flatMap((operation) => {
    const face: Face | undefined = operation.mcp ? operation.mcp.resource : undefined
    if (!face) return []
    const { template: uriTemplate, name, mimeType } = face
    const template = { uriTemplate, name, description: operation.about, mimeType }
    return [{ operation, template, mimeType, pattern: patternOf(uriTemplate) }]
  })
}

/** The operation and input that a resource URI stands for. Throws the protocol's error if there is none. */
export function matchResource(resources: readonly McpResource[], uri: string): McpResource & { input: object } {
  for (const resource of resources) {
    const slots = resource.pattern.exec(uri)?.groups
    if (slots)
      return {
        ...resource,
        input: Object.fromEntries(Object.entries(slots).map(([name, value]) => [name, percentDecoded(value)])),
      }
  }
  throw new ResourceNotFoundError(uri)
}

/** A response as resource contents: the whole text, then each picture. For a picture or a file, only that. */
export function toContents(uri: string, mimeType: string, { parts }: Presentation): ReadResourceResult['contents'] {
  const pictures = parts
    .filter((part) => part.kind === 'image' || part.kind === 'file')
    .map((picture) => ({ uri, mimeType: picture.mimeType, blob: picture.base64 }))
  return mimeType.startsWith('image/') || parts.some(({ kind }) => kind === 'file')
    ? pictures
    : [{ uri, mimeType, text: wholeText({ parts }) }, ...pictures]
}

/** Pattern of the URIs of a template. Supports only simple expansion ({name}), as in RFC 6570 level 1. */
function patternOf(template: string): RegExp {
  const source = template
    .split(/(\{\w+\})/)
    .map((piece) => (/^\{\w+\}$/.test(piece) ? `(?<${piece.slice(1, -1)}>[^/?#]+)` : piece.replace(/[^\w]/g, '\\$&')))
    .join('')
  return new RegExp(`^${source}$`)
}
