import { nodeCredential } from './credential.ts'
import { nodePath, type Reachable } from './dial.ts'

/** `refused`: it answers, with this status; `silent`: it does not, for this reason. */
export type Probe =
  | { kind: 'admitted'; ms: number }
  | { kind: 'refused'; status: number }
  | { kind: 'silent'; reason: string }

const patienceMs = 5000

/** Whether a server takes the calls of one that knows the secret, and how long it takes to say so. Opens a channel for that, and ends it. */
export async function probeNode({ id, url }: Reachable, secret: string): Promise<Probe> {
  const { WebSocket: Socket } = await import('ws')
  const begin = performance.now()
  const authorization = nodeCredential({ secret, nodeId: id, now: Date.now() })
  const socket = new Socket(`${url}${nodePath}`.replace(/^http/, 'ws'), {
    headers: { authorization },
    handshakeTimeout: patienceMs,
    perMessageDeflate: false,
  })
  const answer = new Promise<Probe>((resolve) => {
    socket.once('open', () => resolve({ kind: 'admitted', ms: Math.ceil(performance.now() - begin) }))
    socket.once('unexpected-response', (_, { statusCode = 0 }) => resolve({ kind: 'refused', status: statusCode }))
    // It also says that a socket was ended before it was open.
    socket.on('error', (cause) => resolve({ kind: 'silent', reason: cause.message }))
  })
  return answer.finally(() => socket.terminate())
}
