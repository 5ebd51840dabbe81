import type { Peer } from '../../contracts/session.ts'

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: object; sessionId?: string }

/** No client counts this far. */
const attachId = Number.MAX_SAFE_INTEGER

const noPage = 1008

/**
 * A program that speaks with one page alone, as a peer of the browser: its page is attached first, and messages
 * without a session are those of the page.
 */
export function joinPage(peer: Peer, targetId: string): Peer {
  /** What it says before the page is attached. */
  const early: (string | Uint8Array)[] = []
  let pageSession: string | undefined
  let ears: Parameters<Peer['listen']>[0] | undefined

  function heard(data: string | Uint8Array): void {
    if (pageSession === undefined) early.push(data)
    else ears?.message(typeof data === 'string' ? inSession(data, pageSession) : data)
  }

  function attached({ result }: Message): void {
    pageSession = (result as { sessionId?: string } | undefined)?.sessionId
    if (pageSession === undefined) return peer.close(noPage, 'The page is gone.')
    early.splice(0).forEach(heard)
  }

  function tell(data: string | Uint8Array): void {
    const message = parsed(data)
    if (message?.id === attachId) return attached(message)
    if (pageSession === undefined || message === undefined) return
    // Of the browser only the end of the page is of interest.
    const { sessionId, ...rest } = message
    if (sessionId === pageSession) peer.send(JSON.stringify(rest))
    else if (sessionId !== undefined || rest.id !== undefined) peer.send(data)
    else if (rest.method === 'Target.detachedFromTarget' && rest.params?.['sessionId'] === pageSession)
      peer.close(1000, 'The page is gone.')
  }

  return {
    ...peer,
    send: tell,
    listen(given) {
      ears = given
      peer.listen({ message: heard, closed: () => given.closed() })
      given.message(
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
  try {
    const value: unknown = JSON.parse(String(data))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
