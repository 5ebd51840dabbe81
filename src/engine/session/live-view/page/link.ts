import type { Act, Look, Told } from '../messages.ts'

export type Link = {
  say(message: Act | Look): void
  bytes(chunk: Uint8Array<ArrayBuffer>): void
  /** Resolves when little waits to be sent. */
  drained(): Promise<void>
}
export type LinkEars = {
  told(message: Told): void
  frame(message: ArrayBuffer): void
  /** The link is there again, is tried again, or will not come back. */
  state(is: 'open' | 'lost' | 'gone'): void
}

const firstWaitMs = 400
const longestWaitMs = 8000
const pingMs = 15_000
const silenceMs = 25_000
const fewBytes = 500_000
/** Answers of the server that mean: do not ask again. */
const goneStatus = [401, 403, 404, 410]

/** A socket that comes back by itself, until the session is over. */
export function openLink(ears: LinkEars): Link {
  let socket = open()
  let waitMs = firstWaitMs
  let isOver = false
  let heardAt = Date.now()

  function open(): WebSocket {
    const fresh = new WebSocket(socketAddress())
    fresh.binaryType = 'arraybuffer'
    fresh.addEventListener('open', () => ears.state('open'))
    fresh.addEventListener('message', ({ data }) => hear(data as string | ArrayBuffer))
    fresh.addEventListener('close', () => {
      if (!isOver) void retry()
    })
    return fresh
  }

  function hear(data: string | ArrayBuffer): void {
    heardAt = Date.now()
    waitMs = firstWaitMs
    if (typeof data !== 'string') return ears.frame(data)
    const message = JSON.parse(data) as Told
    if (message.type === 'end') isOver = true
    ears.told(message)
  }

  /** A socket does not tell why it was refused; the page beside it does. */
  async function retry(): Promise<void> {
    ears.state('lost')
    const againMs = waitMs * (0.75 + Math.random() / 2)
    waitMs = Math.min(waitMs * 2, longestWaitMs)
    await new Promise((done) => setTimeout(done, againMs))
    isOver = goneStatus.includes(await pageStatus())
    if (isOver) return ears.state('gone')
    heardAt = Date.now()
    socket = open()
  }

  const isOpen = () => socket.readyState === WebSocket.OPEN
  const say = (message: Act | Look) => {
    if (isOpen()) socket.send(JSON.stringify(message))
  }
  setInterval(() => {
    // A network that has gone away closes nothing by itself.
    if (isOpen() && Date.now() - heardAt > silenceMs) socket.close()
    else say({ type: 'ping' })
  }, pingMs)

  return {
    say,
    bytes: (chunk) => {
      if (isOpen()) socket.send(chunk)
    },
    async drained() {
      while (isOpen() && waitingIn(socket) > fewBytes) await new Promise((done) => setTimeout(done, 50))
    },
  }
}

const waitingIn = (socket: WebSocket) => socket.bufferedAmount

function socketAddress(): URL {
  const address = new URL(location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  address.pathname = `${address.pathname.replace(/\/$/, '')}/ws`
  address.search = ''
  address.hash = ''
  return address
}

/** 0 when there is no answer. */
async function pageStatus(): Promise<number> {
  try {
    return (await fetch(location.pathname, { cache: 'no-store' })).status
  } catch {
    return 0
  }
}
