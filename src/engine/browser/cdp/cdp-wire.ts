import { setTimeout as pause } from 'node:timers/promises'
import { abortReason } from '../../../util/async.ts'
import { parseJsonObject } from '../../../util/json.ts'
import type { Readable, Writable } from 'node:stream'
import { createFrameSplitter } from '../../../util/nul-frames.ts'

/** A message of the Chrome DevTools Protocol: a call (`id` and `method`), its answer (`id`), or an event (`method`). */
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
  /** The browser reads slower than we write: callers that can should await `drained`. */
  isFull(): boolean
  drained(): Promise<void>
  /** Call it once, synchronously after creating the wire: earlier messages are lost. */
  listen(listener: WireListener): void
  /** Disconnects; the listener's `end` follows. */
  end(): void
}

/** Above so many unsent bytes, callers that can should wait. */
const fullBytes = 16 * 1024 * 1024
const pollMs = 20

/** Opens a WebSocket to a browser. Rejects when it cannot be opened, or with the signal's reason. */
export function openSocket(url: string, signal: AbortSignal): Promise<WebSocket> {
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
    // The event says no more than that, and the URL may hold a secret.
    socket.addEventListener('error', () => reject(new Error('The WebSocket could not be opened.')))
  })
}

/** The same messages as over the pipe, one in each frame. */
export function createSocketWire(socket: WebSocket): Wire {
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
    else finish('carried something that is no JSON message')
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

export type PipeOptions = {
  /** A longer message ends the connection, bytes. */
  maxFrameBytes?: number
}

/** More than any screenshot or document needs; the longest string of V8 is twice as long. */
const defaultMaxFrameBytes = 256 * 1024 * 1024

/** JSON messages, each ended by a NUL byte, as Chromium speaks them over --remote-debugging-pipe. */
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
    else finish('carried something that is no JSON message')
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
