import type { ClientSocket } from '../../contracts/session-port.ts'
import { parseJsonObject } from '../../util/json.ts'

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: object; sessionId?: string }

/** Beyond the ids that clients use. */
const attachId = Number.MAX_SAFE_INTEGER

const noPage = 1008

/**
 * Lets a client of one page use the endpoint of the browser: attaches to the page first, and sends messages without a
 * session id to it.
 */
export function pageSocket(socket: ClientSocket, targetId: string): ClientSocket {
  /** Messages that arrive before the page is attached. */
  const early: (string | Uint8Array)[] = []
  let pageSession: string | undefined
  let callbacks: Parameters<ClientSocket['listen']>[0] | undefined

  function receive(data: string | Uint8Array): void {
    if (pageSession === undefined) early.push(data)
    else callbacks?.message(typeof data === 'string' ? inSession(data, pageSession) : data)
  }

  function attached({ result }: Message): void {
    pageSession = (result as { sessionId?: string } | undefined)?.sessionId
    if (pageSession === undefined) return socket.close(noPage, 'The page is closed.')
    early.splice(0).forEach(receive)
  }

  function send(data: string | Uint8Array): void {
    const message = parsed(data)
    if (message?.id === attachId) return attached(message)
    if (pageSession === undefined || message === undefined) return
    // Of the browser's own events only the end of the page matters.
    const { sessionId, ...rest } = message
    if (sessionId === pageSession) socket.send(JSON.stringify(rest))
    else if (sessionId !== undefined || rest.id !== undefined) socket.send(data)
    else if (rest.method === 'Target.detachedFromTarget' && rest.params?.['sessionId'] === pageSession)
      socket.close(1000, 'The page is closed.')
  }

  return {
    ...socket,
    send,
    listen(listener) {
      callbacks = listener
      socket.listen({ message: receive, closed: () => listener.closed() })
      listener.message(
        JSON.stringify({ id: attachId, method: 'Target.attachToTarget', params: { targetId, flatten: true } }),
      )
    },
  }
}

function inSession(data: string, sessionId: string): string {
  const message = parsed(data)
  return message === undefined || message.sessionId !== undefined ? data : JSON.stringify({ ...message, sessionId })
}

function parsed(data: string | Uint8Array): Message | undefined {
  const message: object | undefined = parseJsonObject(String(data))
  return message
}
