import type { Readable, Writable } from 'node:stream'
import type { CdpMessage, Wire, WireListener } from './shapes.ts'

export type PipeOptions = {
  /** A longer message ends the connection, bytes. */
  maxFrameBytes?: number
}

/** What a screenshot or a document needs at most; V8 makes no string longer than twice this. */
const defaultMaxFrameBytes = 256 * 1024 * 1024

/** JSON messages, each ended by a NUL byte, as Chromium speaks them over --remote-debugging-pipe. */
export function createPipe(writable: Writable, readable: Readable, options: PipeOptions = {}): Wire {
  const { maxFrameBytes = defaultMaxFrameBytes } = options
  let listener: WireListener | undefined

  function finish(why: string): void {
    const told = listener
    listener = undefined
    readable.destroy()
    writable.destroy()
    told?.end(why)
  }

  const take = splitFrames(maxFrameBytes, (frame) => {
    const message = parsed(frame)
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
    listen: (given) => {
      listener = given
    },
    end: () => finish('was closed here'),
  }
}

/** Frames out of chunks; every byte is looked at once and copied at most once, however long the frame. */
function splitFrames(maxBytes: number, emit: (frame: Buffer) => void) {
  let parts: Buffer[] = []
  let held = 0
  return (chunk: Buffer): 'ok' | 'too long' => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const last = chunk.subarray(start, end)
      if (held + last.length > maxBytes) return 'too long'
      const frame = held > 0 ? Buffer.concat([...parts, last], held + last.length) : last
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

function parsed(frame: Buffer): CdpMessage | undefined {
  try {
    const value: unknown = JSON.parse(frame.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
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
