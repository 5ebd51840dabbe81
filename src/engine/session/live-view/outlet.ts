import type { ClientSocket } from '../../../contracts/session.ts'
import type { FrameHeader, Told } from './messages.ts'

/** WebSocket close codes (RFC 6455, 7.4.1). */
export const closeCodes = { normal: 1000, policy: 1008, tooBig: 1009, later: 1013 } as const

/** Two, so that the way there and back costs no frames. */
const mostUndrawn = 2
const mostWaitingBytes = 4_000_000
/** A frame is not added to more than that. */
const fewWaitingBytes = 300_000
/** Who draws no frame for so long has fallen asleep. */
const drawMs = 30_000

/** The way to a socket, which gets the newest frame whenever it has drawn one, and is cut off when it does not read. */
export function createOutlet(socket: ClientSocket, closed: () => void) {
  let isOpen = true
  let undrawn: readonly number[] = []
  let latest: Frame | undefined
  let late: NodeJS.Timeout | undefined

  function left(): void {
    if (!isOpen) return
    isOpen = false
    clearTimeout(late)
    closed()
  }

  function close(code: number, reason: string): void {
    if (!isOpen) return
    left()
    socket.close(code, reason)
  }

  const isReady = () => isOpen && undrawn.length < mostUndrawn && socket.bufferedBytes() < fewWaitingBytes

  function sendLatest(): void {
    if (!latest || !isReady()) return
    socket.send(latest.message)
    undrawn = [...undrawn, latest.n]
    latest = undefined
    late ??= setTimeout(() => close(closeCodes.policy, 'draws nothing'), drawMs).unref()
  }

  return {
    isOpen: () => isOpen,
    isReady,
    left,
    close,
    tell(message: Told): void {
      if (!isOpen) return
      if (socket.bufferedBytes() > mostWaitingBytes) close(closeCodes.policy, 'reads too slowly')
      else socket.send(JSON.stringify(message))
    },
    offer(frame: Frame): void {
      latest = frame
      sendLatest()
    },
    drawn(n: number): void {
      undrawn = undrawn.filter((each) => each > n)
      clearTimeout(late)
      late = undefined
      sendLatest()
    },
  }
}

/** A picture as it is sent: made once for all who watch. */
export type Frame = { n: number; message: Uint8Array; jpeg: Uint8Array }

/** Length of the header (16 bit, big-endian), header as JSON, JPEG. */
export function packed(header: FrameHeader, jpeg: Uint8Array): Frame {
  const head = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(head.length)
  return { n: header.n, message: Buffer.concat([length, head, jpeg]), jpeg }
}
