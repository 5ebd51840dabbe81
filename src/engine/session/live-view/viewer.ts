import type { ClientSocket } from '../../../contracts/session.ts'
import { type ViewerAction, type ViewMessage, parseMessage, type ServerMessage, type FrameHeader } from './messages.ts'

export type Role = 'view' | 'control'
export type Viewer = {
  readonly role: Role
  send(message: ServerMessage): void
  /** Takes the place of a frame that has not been sent yet. */
  offer(frame: ScreencastFrame): void
  isReady(): boolean
  /** Cuts it off. */
  close(code: number, reason: string): void
}
export type ViewerCallbacks = {
  look(message: Exclude<ViewMessage, { type: 'ack' | 'ping' }>): void
  act(message: ViewerAction): void
  bytes(chunk: Uint8Array): void
  /** It could take another frame. */
  ready(): void
  closed(): void
}

const mostMessageBytes = 1_000_000
const messages = { atOnce: 600, perSecond: 300 }
const characters = { atOnce: 2_000_000, perSecond: 500_000 }
const reminders = { atOnce: 1, perSecond: 1 }

/** What a socket says, as far as it may say it, and what it is told, as fast as it reads. */
export function createViewer(socket: ClientSocket, role: Role, callbacks: ViewerCallbacks): Viewer {
  const outlet = createViewerChannel(socket, callbacks.closed)
  const mayTell = createBudget(messages)
  const mayWrite = createBudget(characters)
  const mayBeReminded = createBudget(reminders)

  function looked(message: ViewMessage): void {
    if (message.type === 'ping') return outlet.tell({ type: 'pong' })
    if (message.type !== 'ack') return callbacks.look(message)
    outlet.drawn(message.n)
    callbacks.ready()
  }

  function acted(message: ViewerAction): void {
    if (role === 'control') callbacks.act(message)
    else if (mayBeReminded(1)) outlet.tell({ type: 'readOnly' })
  }

  function heard(data: string | Uint8Array): void {
    if (!outlet.isOpen()) return
    if (data.length > mostMessageBytes) return outlet.close(closeCodes.tooBig, 'the message is too long')
    const isText = typeof data === 'string'
    if (!mayTell(1) || (isText && !mayWrite(data.length))) return outlet.close(closeCodes.policy, 'too many messages')
    if (!isText) return role === 'control' ? callbacks.bytes(data) : undefined
    const message = parseMessage(data)
    if (message?.kind === 'look') looked(message.message)
    else if (message) acted(message.message)
  }

  socket.listen({ message: heard, closed: outlet.left })
  const { tell, offer, isReady, close } = outlet
  return { role, send: tell, offer, isReady, close }
}

/** Token bucket (Turner 1986): so many at once, and so many more each second. */
export function createBudget(
  { atOnce, perSecond }: { atOnce: number; perSecond: number },
  now = () => performance.now(),
) {
  let left = atOnce
  let at = now()
  /** False when it is spent. */
  return (cost: number): boolean => {
    const time = now()
    left = Math.min(atOnce, left + ((time - at) / 1000) * perSecond) - cost
    at = time
    return left >= 0
  }
}

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
export function createViewerChannel(socket: ClientSocket, closed: () => void) {
  let isOpen = true
  let undrawn: readonly number[] = []
  let latest: ScreencastFrame | undefined
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
    tell(message: ServerMessage): void {
      if (!isOpen) return
      if (socket.bufferedBytes() > mostWaitingBytes) close(closeCodes.policy, 'reads too slowly')
      else socket.send(JSON.stringify(message))
    },
    offer(frame: ScreencastFrame): void {
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
export type ScreencastFrame = { n: number; message: Uint8Array; jpeg: Uint8Array }

/** Length of the header (16 bit, big-endian), header as JSON, JPEG. */
export function packFrame(header: FrameHeader, jpeg: Uint8Array): ScreencastFrame {
  const head = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(head.length)
  return { n: header.n, message: Buffer.concat([length, head, jpeg]), jpeg }
}
