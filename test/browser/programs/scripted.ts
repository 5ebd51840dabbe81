import { vi } from 'vitest'
import { type ClientOptions, createConnection } from '../../../src/engine/browser/cdp/cdp-connection.ts'
import type { CdpMessage, Wire, WireListener } from '../../../src/engine/browser/cdp/cdp-wire.ts'

/** A connection to a browser whose messages the test sends. */
export function scripted() {
  const sent: CdpMessage[] = []
  let listener: WireListener | undefined
  const wire: Wire = {
    send: (message) => void sent.push(message),
    isFull: () => false,
    drained: async () => {},
    listen: (added) => {
      listener = added
    },
    end: () => listener?.end('was closed here'),
  }
  const log = { error: vi.fn<(event: string, facts?: object) => void>() }
  const connection = createConnection(wire, log)
  const say = (message: CdpMessage) => listener?.message(message)
  return {
    connection,
    log,
    sent,
    say,
    end: (why: string) => listener?.end(why),
    last: () => sent.at(-1) ?? {},
    answer: (result: Record<string, unknown>) => say({ id: sent.at(-1)?.id ?? 0, result }),
    async attached(sessionId: string) {
      const attaching = connection.attach(`target of ${sessionId}`)
      say({ id: sent.at(-1)?.id ?? 0, result: { sessionId } })
      return attaching
    },
    async client(root: string, options: Pick<ClientOptions, 'rejectionOf' | 'contextId'> = {}) {
      const received: CdpMessage[] = []
      const ended = vi.fn<(why: string) => void>()
      const joining = connection.client({ receive: (message) => void received.push(message), ended, ...options })
      say({ id: sent.at(-1)?.id ?? 0, result: { sessionId: root } })
      return { client: await joining, received, ended }
    },
  }
}

export const settle = () => new Promise((resolve) => void setImmediate(resolve))
