import { vi } from 'vitest'
import type { ClientSocket } from '../../../src/contracts/session-port.ts'

/** Client socket controlled by the test: `say` sends a message, `read` takes the received messages. */
export function scriptedPeer() {
  const received: string[] = []
  const close = vi.fn<(code: number, reason: string) => void>()
  let listener: Parameters<ClientSocket['listen']>[0] | undefined
  let waiting = 0
  let isPaused = false
  const peer: ClientSocket = {
    send: (message) => {
      received.push(String(message))
      waiting += message.length
    },
    bufferedBytes: () => waiting,
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
    },
    listen: (given) => {
      listener = given
    },
    close,
  }
  return {
    peer,
    close,
    say: (data: string | Uint8Array | object) =>
      listener?.message(typeof data === 'string' || data instanceof Uint8Array ? data : JSON.stringify(data)),
    leave: () => listener?.closed(),
    read: () => {
      waiting = 0
      return received.splice(0).map((text) => JSON.parse(text) as object)
    },
    isPaused: () => isPaused,
  }
}
