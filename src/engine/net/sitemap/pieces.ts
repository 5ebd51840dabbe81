import { setImmediate } from 'node:timers/promises'
import zlib from 'node:zlib'

const pieceBytes = 65_536
/** Two to three thousand entries: a few milliseconds of work. */
const piecesATurn = 4
/** Without the finish flush a file cut short would give nothing of its last block. */
const options = { chunkSize: pieceBytes, finishFlush: zlib.constants.Z_SYNC_FLUSH }

/**
 * A file in pieces of at most 64 KiB, unpacked if it begins as gzip does; `damaged` comes last where that fails. The
 * event loop gets its turn every few pieces.
 */
export async function* pieces(body: Uint8Array): AsyncGenerator<Uint8Array | 'damaged'> {
  const isPacked = body[0] === 0x1f && body[1] === 0x8b
  let count = 0
  for await (const piece of isPacked ? unpacked(body) : cut(body)) {
    yield piece
    count += 1
    if (count % piecesATurn === 0) await setImmediate()
  }
}

async function* unpacked(body: Uint8Array): AsyncGenerator<Uint8Array | 'damaged'> {
  const stream = zlib.createGunzip(options)
  try {
    stream.end(body)
    yield* stream
  } catch {
    yield 'damaged'
  } finally {
    stream.destroy()
  }
}

function* cut(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes)
}
