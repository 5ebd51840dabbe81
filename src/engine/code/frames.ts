import type { Duplex } from 'node:stream'
import { createFrameSplitter } from '../../util/nul-frames.ts'
import { parseJsonObject } from '../../util/json.ts'

/** JSON messages over a socket, each ended by a NUL byte. */
export type Frames = {
  send(message: object): void
  /** What was sent and has not been read by the other side yet, bytes. */
  waiting(): number
  pause(): void
  resume(): void
}

type Hearer = {
  message(message: Record<string, unknown>): void
  /** Called for what is no message: the other side is not to be listened to any more. */
  broken(why: string): void
}

export function createFrames(socket: Duplex, hearer: Hearer, maxBytes: number): Frames {
  const take = createFrameSplitter(maxBytes, (frame) => {
    const message = parseJsonObject(frame.toString('utf8'))
    if (message) hearer.message(message)
    else hearer.broken('sent something that is no message')
  })
  socket.on('data', (chunk: Buffer) => {
    if (take(chunk) === 'too long') hearer.broken(`sent a message of more than ${maxBytes} bytes`)
  })
  return {
    send: (message) => void (socket.writable && socket.write(`${JSON.stringify(message)}\0`)),
    waiting: () => socket.writableLength,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
  }
}
