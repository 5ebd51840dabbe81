import { setTimeout as pause } from 'node:timers/promises'
import { abortReason } from '../../../util/async.ts'
import { parseJsonObject } from '../../../util/json.ts'
import type { Readable, Writable } from 'node:stream'
import { createFrameSplitter } from '../../../util/nul-frames.ts'

/** Message of the Chrome DevTools Protocol: a call (`id` and `method`), its response (`id`), or an event (`method`). */
export type CdpMessage = {
  id?: number
  method?: string
  params?: Readonly<Record<string, unknown>>
  result?: Readonly<Record<string, unknown>>
  error?: { code: number; message: string; data?: unknown }
  /** The session of the message; absent for the browser itself. */
  sessionId?: string
}

export type WireListener = {
  message(message: CdpMessage): void
  /** Called once, last. `why` completes the sentence "the connection …". */
  end(why: string): void
}

/** Carries messages to a browser and back: the debugging pipe, or a WebSocket. */
export type Wire = {
  send(message: CdpMessage): void
  /** True if the browser reads more slowly than we write; callers that can wait should await `drained`. */
  isFull(): boolean
  drained(): Promise<void>
  /** Must be called once, synchronously after creating the wire, because earlier messages are lost. */
  listen(listener: WireListener): void
  end(): void
}

/** Unsent bytes above which callers that can wait should do so. */
const fullBytes = 16 * 1024 * 1024
const pollMs = 20

/** Opens a WebSocket to a browser. Rejects if it cannot be opened, or with the signal's reason. */
export async function openSocketWire(url: string, signal: AbortSignal): Promise<Wire> {
  const socket = await openSocket(url, signal)
  let listener: WireListener | undefined

  function finish(why: string): void {
    const ended = listener
    listener = undefined
    socket.close()
    ended?.end(why)
  }

  socket.addEventListener('message', ({ data }) => {
    const message = parseJsonObject(String(data))
    if (message) listener?.message(message)
    else finish('carried a message that is not JSON')
  })
  socket.addEventListener('close', () => finish('was closed by the browser'))
  socket.addEventListener('error', () => finish('broke'))
  const isFull = () => socket.bufferedAmount > fullBytes

  return {
    send: (message) => void (socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message))),
    isFull,
    async drained() {
      while (isFull() && socket.readyState === WebSocket.OPEN) await pause(pollMs)
    },
    listen: (added) => {
      listener = added
    },
    end: () => finish('was closed here'),
  }
}

function openSocket(url: string, signal: AbortSignal): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = new WebSocket(url)
    const onAbort = () => {
      reject(abortReason(signal))
      socket.close()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    socket.addEventListener('open', () => {
      signal.removeEventListener('abort', onAbort)
      resolve(socket)
    })
    // The event contains no more details, and the URL may contain a secret.
    socket.addEventListener('error', () => reject(new Error('The WebSocket could not be opened.')))
  })
}

export type PipeOptions = {
  /** Message size in bytes above which the connection is closed. */
  maxFrameBytes?: number
}

/** Larger than any screenshot or document; the maximum string length of V8 is twice as large. */
const defaultMaxFrameBytes = 256 * 1024 * 1024

/** Reads and writes JSON messages that end with a NUL byte, the format of --remote-debugging-pipe in Chromium. */
export function createPipe(writable: Writable, readable: Readable, options: PipeOptions = {}): Wire {
  const { maxFrameBytes = defaultMaxFrameBytes } = options
  let listener: WireListener | undefined

  function finish(why: string): void {
    const ended = listener
    listener = undefined
    readable.destroy()
    writable.destroy()
    ended?.end(why)
  }

  const take = createFrameSplitter(maxFrameBytes, (frame) => {
    const message = parseJsonObject(frame.toString('utf8'))
    if (message) listener?.message(message)
    else finish('carried a message that is not JSON')
  })
  readable.on('data', (chunk: Buffer) => {
    if (listener && take(chunk) === 'too long') finish(`carried a message of more than ${maxFrameBytes} bytes`)
  })
  for (const event of ['end', 'close']) readable.on(event, () => finish('was closed by the browser'))
  for (const stream of [readable, writable]) stream.on('error', () => finish('broke'))

  return {
    send: (message) => void (writable.writable && writable.write(`${JSON.stringify(message)}\0`)),
    isFull: () => writable.writableNeedDrain,
    drained: () => drained(writable),
    listen: (added) => {
      listener = added
    },
    end: () => finish('was closed here'),
  }
}

function drained(writable: Writable): Promise<void> {
  if (!writable.writableNeedDrain) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      writable.off('drain', done).off('close', done)
      resolve()
    }
    writable.on('drain', done).on('close', done)
  })
}
