import type { ViewerAction, ViewMessage, ServerMessage } from '../../engine/session/live-view/messages.ts'

export type Link = ReturnType<typeof openLink>
type LinkCallbacks = {
  message(message: ServerMessage): void
  frame(message: ArrayBuffer): void
  /** `lost`: the link reconnects; `gone`: it does not, because the session is over. */
  changed(state: 'open' | 'lost' | 'gone'): void
}

const firstWaitMs = 400
const longestWaitMs = 8000
const pingMs = 15_000
const silenceMs = 25_000
const fewBytes = 500_000
/** Statuses after which the link does not reconnect. */
const goneStatuses = [401, 403, 404, 410]

/** WebSocket that reconnects automatically until the session is over. */
export function openLink(callbacks: LinkCallbacks) {
  let socket = open()
  let waitMs = firstWaitMs
  let isOver = false
  let lastMessageAt = Date.now()

  function open(): WebSocket {
    const fresh = new WebSocket(socketAddress())
    fresh.binaryType = 'arraybuffer'
    fresh.addEventListener('open', () => callbacks.changed('open'))
    fresh.addEventListener('message', ({ data }) => receive(data as string | ArrayBuffer))
    fresh.addEventListener('close', () => {
      if (!isOver) void retry()
    })
    return fresh
  }

  function receive(data: string | ArrayBuffer): void {
    lastMessageAt = Date.now()
    waitMs = firstWaitMs
    if (typeof data !== 'string') return callbacks.frame(data)
    const message = JSON.parse(data) as ServerMessage
    if (message.type === 'end') isOver = true
    callbacks.message(message)
  }

  /** Reconnects, unless the status of the page shows that the session is over: a socket does not expose why it failed. */
  async function retry(): Promise<void> {
    callbacks.changed('lost')
    const againMs = waitMs * (0.75 + Math.random() / 2)
    waitMs = Math.min(waitMs * 2, longestWaitMs)
    await new Promise((done) => setTimeout(done, againMs))
    isOver = goneStatuses.includes(await pageStatus())
    if (isOver) return callbacks.changed('gone')
    lastMessageAt = Date.now()
    socket = open()
  }

  const isOpen = () => socket.readyState === WebSocket.OPEN
  const send = (message: ViewerAction | ViewMessage) => {
    if (isOpen()) socket.send(JSON.stringify(message))
  }
  setInterval(() => {
    // If the network is lost, the socket stays open but receives nothing.
    if (isOpen() && Date.now() - lastMessageAt > silenceMs) socket.close()
    else send({ type: 'ping' })
  }, pingMs)

  return {
    send,
    sendBytes(chunk: Uint8Array<ArrayBuffer>): void {
      if (isOpen()) socket.send(chunk)
    },
    /** Resolves when at most `fewBytes` are left to send. */
    async untilSent(): Promise<void> {
      while (isOpen() && socket.bufferedAmount > fewBytes) await new Promise((done) => setTimeout(done, 50))
    },
  }
}

function socketAddress(): URL {
  const address = new URL(location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  address.pathname = `${address.pathname.replace(/\/$/, '')}/ws`
  address.search = ''
  address.hash = ''
  return address
}

/** Returns 0 if there is no response. */
async function pageStatus(): Promise<number> {
  try {
    return (await fetch(location.pathname, { cache: 'no-store' })).status
  } catch {
    return 0
  }
}
