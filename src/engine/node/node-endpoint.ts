import type { WebSocket } from 'ws'
import { type ClientSocket, endpointPaths, type SessionEndpoint } from '../../contracts/session-port.ts'
import { fail } from '../../kernel/error.ts'
import { notReached, openSocket } from './dial.ts'

/** What can be told of an endpoint; the rest is asked of its server, whose own endpoint the same secret opens. */
export type EndpointFacts =
  | Pick<Extract<SessionEndpoint, { kind: 'cdp' }>, 'kind' | 'version'>
  | Pick<Extract<SessionEndpoint, { kind: 'view' }>, 'kind' | 'role'>

export const factsOf = (endpoint: SessionEndpoint): EndpointFacts =>
  endpoint.kind === 'cdp' ? { kind: 'cdp', version: endpoint.version } : { kind: 'view', role: endpoint.role }

/** The endpoint of a session on the server at that URL. */
export function endpointAt(url: string, secret: string, facts: EndpointFacts): SessionEndpoint {
  if (facts.kind === 'cdp') {
    const base = url + endpointPaths.cdp(secret)
    return {
      ...facts,
      pages: async () =>
        (
          (await (await answerOf(`${base}/json/list`)).json()) as {
            id: string
            url: string
            title: string
            type: string
          }[]
        )
          .filter(({ type }) => type === 'page')
          .map((page) => ({ id: page.id, url: page.url, title: page.title })),
      connect: (socket) => joinSoon(socket, base),
    }
  }
  const base = url + endpointPaths.view(secret)
  return {
    ...facts,
    async page() {
      const response = await answerOf(base)
      return {
        html: await response.text(),
        contentSecurityPolicy: response.headers.get('content-security-policy') ?? "default-src 'none'",
      }
    },
    join: (socket) => void joinSoon(socket, `${base}/ws`),
  }
}

async function answerOf(url: string): Promise<Response> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(answerMs) }).catch(
    (cause: unknown) => fail('REMOTE_UNAVAILABLE', { message: notReached, cause }),
  )
  return response.ok ? response : fail('SESSION_GONE')
}

const answerMs = 10_000
/** A client that reads slowly holds up the other end, not this server's memory. */
const maxBufferedBytes = 8 * 1024 * 1024

async function joinSoon(client: ClientSocket, url: string): Promise<void> {
  // What comes before the other socket is there waits in the operating system.
  client.pause()
  try {
    join(client, await openSocket(url))
    client.resume()
  } catch {
    client.listen({ message() {}, closed() {} })
    client.close(1013, 'The session cannot be reached.')
  }
}

/** Carries each message on, as it is, and each end. */
function join(client: ClientSocket, server: WebSocket): void {
  server.on('message', (data: Buffer, isBinary) => {
    client.send(isBinary ? new Uint8Array(data) : data.toString())
    if (client.bufferedBytes() > maxBufferedBytes) holdBack(client, server)
  })
  server.once('close', (code, reason) => client.close(sendable(code), reason.toString()))
  client.listen({
    message: (data) => server.send(data),
    closed: () => server.close(),
  })
}

const lookAgainMs = 50

function holdBack(client: ClientSocket, server: WebSocket): void {
  server.pause()
  const timer = setInterval(() => {
    if (client.bufferedBytes() > maxBufferedBytes / 2 && server.readyState === server.OPEN) return
    clearInterval(timer)
    server.resume()
  }, lookAgainMs)
}

/** Codes that only say how a connection was lost are not sent (RFC 6455, section 7.4.1). */
const sendable = (code: number): number =>
  code >= 1000 && code < 5000 && ![1004, 1005, 1006, 1015].includes(code) ? code : 1001
