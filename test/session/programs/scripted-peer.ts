import { vi } from 'vitest'
import type { ClientSocket } from '../../../src/contracts/session-port.ts'

/** A peer whose every word the test says, and who reads when the test says so. */
export function scriptedPeer() {
  const heard: string[] = []
  const close = vi.fn<(code: number, reason: string) => void>()
  let ears: Parameters<ClientSocket['listen']>[0] | undefined
  let waiting = 0
  let isPaused = false
  const peer: ClientSocket = {
    send: (message) => {
      heard.push(String(message))
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
      ears = given
    },
    close,
  }
  return {
    peer,
    close,
    say: (data: string | Uint8Array | object) =>
      ears?.message(typeof data === 'string' || data instanceof Uint8Array ? data : JSON.stringify(data)),
    leave: () => ears?.closed(),
    read: () => {
      waiting = 0
      return heard.splice(0).map((text) => JSON.parse(text) as object)
    },
    isPaused: () => isPaused,
  }
}
