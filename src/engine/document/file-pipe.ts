import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { deserialize, serialize } from 'node:v8'
import type { DocumentKind } from '../../contracts/page-content.ts'
import type { Thrown } from '../../kernel/error.ts'
import { type Bytes, releaseBuffer } from '../../util/file-bytes.ts'
import type { Converted, Source } from './converter.ts'

export type ConvertTask = { kind: DocumentKind; source: Source }
/** First frame sent to a child; the bytes of the file follow. */
export type ConvertOrder = { kind: DocumentKind; source: Omit<Source, 'bytes'> }
/** A worn child converts no other file. */
export type ConvertResponse =
  | { converted: Converted; thrown?: undefined; isWorn?: boolean }
  | { converted?: undefined; thrown: Thrown; isWorn?: boolean }
/** A child first reports that it has started, then the number of PDF pages read, and finally the result. */
export type ConvertMessage = ConvertResponse | { pagesRead: number }

/** File descriptor of the child's end of the pipe. */
export const converterFd = 3

/**
 * Length-prefixed frames over a pipe: a file is sent as raw bytes, whereas a Node channel would serialise it first and
 * so hold it twice on both sides.
 */
const headBytes = 4
const pieceBytes = 1_048_576
const readBytes = 65_536

export const packed = (message: unknown): Uint8Array => serialize(message)
/**
 * Deserialises a received frame and releases its buffer, so a message must not contain bytes, which are views of it.
 */
export function unpacked(frame: Bytes): unknown {
  const message: unknown = deserialize(frame)
  releaseBuffer(frame)
  return message
}

/** Resolves once the system has accepted all bytes. Fails if the pipe is closed before. */
export async function sendFrame(pipe: Writable, content: Uint8Array): Promise<void> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(bytes.byteLength)
  // Sends a short frame in one write, which completes immediately: the process may be too busy for a second write.
  if (bytes.byteLength <= pieceBytes) return written(pipe, Buffer.concat([head, bytes]))
  await written(pipe, head)
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) await written(pipe, bytes.subarray(at, at + pieceBytes))
}

const written = (pipe: Writable, piece: Uint8Array) =>
  new Promise<void>((resolve, reject) => pipe.write(piece, (fault) => (fault ? reject(fault) : resolve())))

export type FrameRules = {
  /** Maximum frame size in bytes; larger frames are rejected. */
  maxBytes: number
  take(frame: Buffer<ArrayBuffer>): void
  /** Called once for a frame that is too long; nothing more is received. */
  tooLong?(): void
}

/** Reassembles frames from pipe data in chunks of any length and passes each to `take` once it is complete. */
export function frameReader({ maxBytes, take, tooLong }: FrameRules): (piece: Uint8Array) => void {
  let [buffer, filled, isHead] = [Buffer.alloc(headBytes), 0, true]
  const next = (length: number) => {
    isHead = !isHead
    filled = 0
    // The system commits memory only for received bytes.
    buffer = Buffer.allocUnsafeSlow(length)
  }
  /** Handles a complete head or frame. Returns false for a frame that is too long. */
  const endPart = (): boolean => {
    const [content, isFrame] = [buffer, !isHead]
    const length = isFrame ? headBytes : buffer.readUInt32BE()
    if (!isFrame && length > maxBytes) return false
    next(length)
    if (isFrame) take(content)
    return true
  }
  return (piece) => {
    let at = 0
    while (at < piece.byteLength || filled === buffer.byteLength) {
      const count = Math.min(buffer.byteLength - filled, piece.byteLength - at)
      buffer.set(piece.subarray(at, at + count), filled)
      filled += count
      at += count
      if (filled < buffer.byteLength || endPart()) continue
      return tooLong?.()
    }
  }
}

/** Opens the pipe end that this process was started with. All reads share one buffer, which leaves no garbage. */
export function openPipe(fd: number, rules: FrameRules): Socket {
  const read = frameReader(rules)
  const callback = (count: number, buffer: Uint8Array) => {
    read(buffer.subarray(0, count))
    return true
  }
  const onread = { buffer: Buffer.allocUnsafeSlow(readBytes), callback }
  const options: ConstructorParameters<typeof Socket>[0] & { onread: typeof onread } = { fd, onread }
  return new Socket(options)
}
