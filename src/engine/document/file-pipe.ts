import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { deserialize, serialize } from 'node:v8'
import type { DocumentKind } from '../../contracts/page-content.ts'
import type { Thrown } from '../../kernel/error.ts'
import { type Bytes, letGo } from '../../util/file-bytes.ts'
import type { Converted, Source } from './converter.ts'

export type ConvertTask = { kind: DocumentKind; source: Source }
/** What a child is sent first; the bytes of the file follow. */
export type ConvertOrder = { kind: DocumentKind; source: Omit<Source, 'bytes'> }
/** Whoever is worn converts no other file. */
export type ConvertResponse =
  | { converted: Converted; thrown?: undefined; isWorn?: boolean }
  | { converted?: undefined; thrown: Thrown; isWorn?: boolean }
/** A child says first that it has begun, then how many pages of a PDF it has read, and last what came of it. */
export type ConvertMessage = ConvertResponse | { pagesRead: number }

/** Where a child finds its end of the pipe. */
export const converterFd = 3

/**
 * Frames over a pipe, each behind its length: a file goes to a converter as the bytes it is, which a channel of Node would
 * serialise first and so hold twice on both sides.
 */
const headBytes = 4
const pieceBytes = 1_048_576
const readBytes = 65_536

export const packed = (message: unknown): Uint8Array => serialize(message)
/** What somebody else has sent. The bytes are given up, so a message holds none: they would be a view of them. */
export function unpacked(frame: Bytes): unknown {
  const message: unknown = deserialize(frame)
  letGo(frame)
  return message
}

/** Resolves once the system has all of it. Fails when the pipe is closed before. */
export async function sendFrame(pipe: Writable, content: Uint8Array): Promise<void> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(bytes.byteLength)
  // A short one in one write, which is done at once: what follows may keep the process too busy for a second one.
  if (bytes.byteLength <= pieceBytes) return written(pipe, Buffer.concat([head, bytes]))
  await written(pipe, head)
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) await written(pipe, bytes.subarray(at, at + pieceBytes))
}

const written = (pipe: Writable, piece: Uint8Array) =>
  new Promise<void>((resolve, reject) => pipe.write(piece, (fault) => (fault ? reject(fault) : resolve())))

export type FrameRules = {
  /** Frames that announce more are not received. */
  maxBytes: number
  take(frame: Buffer<ArrayBuffer>): void
  /** Nothing is received any more. */
  tooLong?(): void
}

/** Takes what comes over a pipe, in pieces of any length, and gives each frame to `take` once it is whole. */
export function frameReader({ maxBytes, take, tooLong }: FrameRules): (piece: Uint8Array) => void {
  let [room, filled, isHead] = [Buffer.alloc(headBytes), 0, true]
  const next = (length: number) => {
    isHead = !isHead
    filled = 0
    // The system gives memory only for what comes.
    room = Buffer.allocUnsafeSlow(length)
  }
  /** Whether anything may follow. */
  const whole = (): boolean => {
    const [content, isFrame] = [room, !isHead]
    const length = isFrame ? headBytes : room.readUInt32BE()
    if (!isFrame && length > maxBytes) return false
    next(length)
    if (isFrame) take(content)
    return true
  }
  return (piece) => {
    let at = 0
    while (at < piece.byteLength || filled === room.byteLength) {
      const count = Math.min(room.byteLength - filled, piece.byteLength - at)
      room.set(piece.subarray(at, at + count), filled)
      filled += count
      at += count
      if (filled < room.byteLength || whole()) continue
      return tooLong?.()
    }
  }
}

/** The end of the pipe that this process was started with. All is read through one piece of memory, which leaves no garbage. */
export function openPipe(fd: number, rules: FrameRules): Socket {
  const read = frameReader(rules)
  const callback = (count: number, room: Uint8Array) => {
    read(room.subarray(0, count))
    return true
  }
  const onread = { buffer: Buffer.allocUnsafeSlow(readBytes), callback }
  const options: ConstructorParameters<typeof Socket>[0] & { onread: typeof onread } = { fd, onread }
  return new Socket(options)
}
