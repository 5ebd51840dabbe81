import type { ClientSocket } from '../../../contracts/session-port.ts'
import type { FrameAt } from '../../browser/acts/call-page.ts'
import type { Chooser, FileUpload } from '../file-chooser.ts'
import {
  parseMessage,
  type ScreencastFrame,
  type ServerMessage,
  type ShownAct,
  type ViewerAction,
  type ViewMessage,
} from './messages.ts'
import type { WatchedTab } from './watched-tab.ts'

export type Role = 'view' | 'control'
type ViewerCallbacks = {
  look(message: Exclude<ViewMessage, { type: 'ack' | 'ping' }>): void
  act(message: ViewerAction): void
  bytes(chunk: Uint8Array): void
  ready(): void
  closed(): void
}

const maxMessageBytes = 1_000_000
const messages = { atOnce: 600, perSecond: 300 }
const textCharacters = { atOnce: 2_000_000, perSecond: 500_000 }
const reminders = { atOnce: 1, perSecond: 1 }

export type Viewer = ReturnType<typeof createViewer>

/** Parses a viewer's messages, limits their rate, and sends frames no faster than the viewer acknowledges them. */
export function createViewer(socket: ClientSocket, role: Role, callbacks: ViewerCallbacks) {
  const channel = createViewerChannel(socket, callbacks.closed)
  const maySend = createBudget(messages)
  const mayWrite = createBudget(textCharacters)
  const mayBeReminded = createBudget(reminders)

  function receiveView(message: ViewMessage): void {
    if (message.type === 'ping') return channel.send({ type: 'pong' })
    if (message.type !== 'ack') return callbacks.look(message)
    channel.drawn(message.n)
    callbacks.ready()
  }

  function receiveAction(message: ViewerAction): void {
    if (role === 'control') callbacks.act(message)
    else if (mayBeReminded(1)) channel.send({ type: 'readOnly' })
  }

  function receive(data: string | Uint8Array): void {
    if (!channel.isOpen()) return
    if (data.length > maxMessageBytes) return channel.close(closeCodes.tooBig, 'the message is too long')
    const isText = typeof data === 'string'
    if (!maySend(1) || (isText && !mayWrite(data.length))) return channel.close(closeCodes.policy, 'too many messages')
    if (!isText) return role === 'control' ? callbacks.bytes(data) : undefined
    const message = parseMessage(data)
    if (message?.kind === 'look') receiveView(message.message)
    else if (message) receiveAction(message.message)
  }

  socket.listen({ message: receive, closed: channel.left })
  const { send, offer, isReady, close } = channel
  return { role, send, offer, isReady, close }
}

/** Token bucket (Turner 1986): a burst of `atOnce`, refilled by `perSecond`. */
export function createBudget(
  { atOnce, perSecond }: { atOnce: number; perSecond: number },
  now = () => performance.now(),
) {
  let left = atOnce
  let at = now()
  /** Returns false if the budget is used up. */
  return (cost: number): boolean => {
    const time = now()
    left = Math.min(atOnce, left + ((time - at) / 1000) * perSecond) - cost
    at = time
    return left >= 0
  }
}

/** WebSocket close codes (RFC 6455, 7.4.1). */
export const closeCodes = { normal: 1000, policy: 1008, tooBig: 1009, later: 1013 } as const

/** Limit of unacknowledged frames; two hide the round-trip time. */
const maxUndrawn = 2

const maxWaitingBytes = 4_000_000

/** Limit of unsent bytes above which no frame is sent. */
const fewWaitingBytes = 300_000

/** Time limit in ms after which a viewer that acknowledges no frame is disconnected. */
const drawMs = 30_000

/** Sends the newest frame whenever the viewer has acknowledged one; disconnects a viewer that does not read. */
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

  const isReady = () => isOpen && undrawn.length < maxUndrawn && socket.bufferedBytes() < fewWaitingBytes

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
    send(message: ServerMessage): void {
      if (!isOpen) return
      if (socket.bufferedBytes() > maxWaitingBytes) close(closeCodes.policy, 'reads too slowly')
      else socket.send(JSON.stringify(message))
    },
    /** Sends the frame when the viewer is ready; replaces a frame that was not sent yet. */
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

export type ViewerState = ReturnType<typeof newViewerState>

export const newViewerState = (viewer: Viewer) => ({
  viewer,
  tab: undefined as WatchedTab | undefined,
  /** Target id of the tab the viewer picked; without one it follows the session's current tab. */
  pickedTab: undefined as string | undefined,
  isLooking: true,
  lastState: '',
  sentEnd: 0,
  sentActs: [] as readonly ShownAct[],
  queue: Promise.resolve(),
  pendingInputs: 0,
  lastInput: Promise.resolve() as Promise<unknown>,
  actedAt: 0,
  /** True if the mouse press was not sent, so its release must not be sent either. */
  swallowsRelease: false,
  fieldFrame: undefined as FrameAt | undefined,
  chooser: undefined as Chooser | undefined,
  upload: undefined as FileUpload | undefined,
})
