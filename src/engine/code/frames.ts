import type { Duplex } from 'node:stream'
import { createFrameSplitter } from '../../util/nul-frames.ts'
import { parseJsonObject } from '../../util/json.ts'

/** JSON messages over a socket, each ended by a NUL byte. */
export type Frames = {
  send(message: object): void
  /** Bytes sent that the other side has not read yet. */
  waiting(): number
  pause(): void
  resume(): void
}

type FrameHandlers<M> = {
  message(message: Partial<M>): void
  /** The other side broke the protocol and must not be trusted any more. */
  broken(why: string): void
}

/** `M` has the fields of all messages that the other side may send; each message has some of them. */
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
