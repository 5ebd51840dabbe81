import type { Duplex } from 'node:stream'
import { parseJsonObject } from './json.ts'

/** Takes the next chunk of a byte stream. */
type FrameSplitter = (chunk: Buffer) => 'ok' | 'too long'

/**
 * Splits a byte stream into frames that end with a NUL byte, and emits each without it. A frame of more than `maxBytes`
 * is never emitted: the splitter returns `too long` and must not be used again. Bytes are scanned once and copied at
 * most once.
 */
export function createFrameSplitter(maxBytes: number, emit: (frame: Buffer) => void): FrameSplitter {
  let parts: Buffer[] = []
  let pendingBytes = 0
  return (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const last = chunk.subarray(start, end)
      if (pendingBytes + last.length > maxBytes) return 'too long'
      const frame = pendingBytes > 0 ? Buffer.concat([...parts, last], pendingBytes + last.length) : last
      parts = []
      pendingBytes = 0
      start = end + 1
      emit(frame)
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
    pendingBytes += chunk.length - start
    return pendingBytes > maxBytes ? 'too long' : 'ok'
  }
}

/** JSON messages over a socket, each terminated by a NUL byte. */
export type Frames = {
  send(message: object): void
  /** Number of bytes that are buffered because the other side reads too slowly. */
  waiting(): number
  pause(): void
  resume(): void
}

type FrameHandlers<M> = {
  message(message: Partial<M>): void
  /** Called when the other side broke the protocol and must no longer be trusted. */
  broken(why: string): void
}

/** `M` has the fields of all messages that the other side may send; each message contains some of them. */
export function createFrames<M extends object>(socket: Duplex, handlers: FrameHandlers<M>, maxBytes: number): Frames {
  const take = createFrameSplitter(maxBytes, (frame) => {
    const message = parseJsonObject(frame.toString('utf8'))
    if (message) handlers.message(message as Partial<M>)
    else handlers.broken('sent something that is not a JSON object')
  })
  socket.on('data', (chunk: Buffer) => {
    if (take(chunk) === 'too long') handlers.broken(`sent a message of more than ${maxBytes} bytes`)
  })
  return {
    send: (message) => void (socket.writable && socket.write(`${JSON.stringify(message)}\0`)),
    waiting: () => socket.writableLength,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
  }
}
