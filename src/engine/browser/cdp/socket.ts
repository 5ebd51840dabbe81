import { setTimeout as pause } from 'node:timers/promises'
import { abortReason } from '../../../util/async.ts'
import type { Wire, WireListener } from './wire.ts'
import { parseJsonObject } from '../../../util/json.ts'

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
