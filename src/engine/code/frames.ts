import type { Duplex } from 'node:stream'

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
  const take = splitAtNul(maxBytes, (frame) => {
    const message = parsed(frame)
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

/** Pieces that end with a NUL byte, out of chunks of any size. */
export function splitAtNul(maxBytes: number, emit: (frame: Buffer) => void) {
  let parts: Buffer[] = []
  let held = 0
  return (chunk: Buffer): 'ok' | 'too long' => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const last = chunk.subarray(start, end)
      const frame = held > 0 ? Buffer.concat([...parts, last]) : last
      parts = []
      held = 0
      start = end + 1
      emit(frame)
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
    held += chunk.length - start
    return held > maxBytes ? 'too long' : 'ok'
  }
}

function parsed(frame: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(frame.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
