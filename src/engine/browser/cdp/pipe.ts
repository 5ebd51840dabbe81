import type { Readable, Writable } from 'node:stream'
import { createFrameSplitter } from '../../../util/nul-frames.ts'
import type { Wire, WireListener } from './wire.ts'
import { parseJsonObject } from '../../../util/json.ts'

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
