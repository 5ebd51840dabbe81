import { setTimeout as pause } from 'node:timers/promises'
import { parseJsonObject } from '../../../util/nul-frames.ts'
import type { Wire, WireListener } from './shapes.ts'

/** What may wait to be sent before whoever can should wait, bytes. */
const fullBytes = 16 * 1024 * 1024
const lookAgainMs = 20

/** Opens a WebSocket to a browser. Rejects when it cannot be opened, or with the signal's reason. */
export function openSocket(url: string, signal: AbortSignal): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = new WebSocket(url)
    const leave = () => {
      reject(signal.reason as Error)
      socket.close()
    }
    signal.addEventListener('abort', leave, { once: true })
    socket.addEventListener('open', () => {
      signal.removeEventListener('abort', leave)
      resolve(socket)
    })
    // The event tells no more than that; the address may hold a secret.
    socket.addEventListener('error', () => reject(new Error('The WebSocket could not be opened.')))
  })
}

/** The same messages as over the pipe, one a frame. */
export function createSocketWire(socket: WebSocket): Wire {
  let listener: WireListener | undefined

  function finish(why: string): void {
    const told = listener
    listener = undefined
    socket.close()
    told?.end(why)
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
      while (isFull() && socket.readyState === WebSocket.OPEN) await pause(lookAgainMs)
    },
    listen: (given) => {
      listener = given
    },
    end: () => finish('was closed here'),
  }
}
