import { pipeline, type Readable, type Transform } from 'node:stream'
import zlib from 'node:zlib'
import { fail } from '../../../kernel/error.ts'

type Bytes = AsyncIterable<Uint8Array>
type Decoder = (source: Bytes) => Bytes
/** Two ways to decode: bytes as they come, and those that are there at once. */
type Coding<Options> = { stream(options: Options): Transform; whole(bytes: Uint8Array, options: Options): Uint8Array }

const maxCodings = 4
/** Without the finish flush a body cut short would be an error, where browsers show what came. */
const zlibOptions = { chunkSize: 65_536, finishFlush: zlib.constants.Z_SYNC_FLUSH }
const brotliOptions = { chunkSize: 65_536, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }
/** 8 MB is the largest window RFC 9659 permits in content coding; the format itself would allow 2 GB. */
const zstdOptions = {
  chunkSize: 65_536,
  finishFlush: zlib.constants.ZSTD_e_flush,
  params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 },
}

/** Decoded at once where it becomes no more than `maxWhole`: the streams around a decoder cost twice what it does. */
const maxPacked = 128 * 1024
const maxWhole = 1024 * 1024

const gzip = { stream: zlib.createGunzip, whole: zlib.gunzipSync }
const zlibbed = { stream: zlib.createInflate, whole: zlib.inflateSync }
const deflated = { stream: zlib.createInflateRaw, whole: zlib.inflateRawSync }
const brotli = { stream: zlib.createBrotliDecompress, whole: zlib.brotliDecompressSync }
const zstd = { stream: zlib.createZstdDecompress, whole: zlib.zstdDecompressSync }

const decoders = new Map<string, Decoder>([
  ['gzip', through(gzip, zlibOptions)],
  ['x-gzip', through(gzip, zlibOptions)],
  ['br', through(brotli, brotliOptions)],
  ['zstd', through(zstd, zstdOptions)],
  ['deflate', inflate],
])
/** Not codings, but servers send them; browsers ignore them too. */
const ignored = /^(?:|identity|none|utf-?8|iso-8859-\d+|binary|text\/.*)$/

/**
 * Reads and decodes a body. Every stage of decoding counts its output against `maxBytes`, so that a bomb ends early
 * whatever its wrapping. Fails with SCRAPE_SITE_ERROR where it is too large or not decodable; destroys `body` in any case.
 */
export async function readBody(body: Readable, contentEncoding: string, maxBytes: number): Promise<Uint8Array> {
  body.on('error', () => {})
  try {
    const stages = codingsOf(contentEncoding).toReversed()
    const decoded = stages.reduce((bytes, decode) => capped(decode(bytes), maxBytes), capped(body, maxBytes))
    const chunks: Uint8Array[] = []
    for await (const chunk of decoded) chunks.push(chunk)
    return Buffer.concat(chunks)
  } finally {
    body.destroy()
  }
}

function codingsOf(contentEncoding: string): Decoder[] {
  const names = contentEncoding.split(',').map((name) => name.trim().toLowerCase())
  const wanted = names.filter((name) => !ignored.test(name))
  if (wanted.length > maxCodings)
    fail('SCRAPE_SITE_ERROR', { message: `The page is wrapped in more than ${maxCodings} content codings.` })
  return wanted.map(
    (name) => decoders.get(name) ?? fail('SCRAPE_SITE_ERROR', { message: 'The page uses an unknown content coding.' }),
  )
}

async function* capped(bytes: Bytes, maxBytes: number): Bytes {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > maxBytes) fail('SCRAPE_SITE_ERROR', { message: `The page is larger than ${maxBytes} bytes.` })
    yield chunk
  }
}

function through<Options extends object>({ stream, whole }: Coding<Options>, options: Options): Decoder {
  return async function* (source) {
    const iterator = source[Symbol.asyncIterator]()
    const { first, isAll } = await beginning(iterator)
    const decoded = isAll ? orNone(() => whole(first, { ...options, maxOutputLength: maxWhole })) : undefined
    if (decoded) return yield decoded
    const rest = isAll ? one(first) : startingWith(first, iterator)
    // The callback only keeps the pipeline from raising: failures reach the reader of the stream it returns.
    yield* pipeline(rest, stream(options), () => {}) as Bytes
  }
}

async function beginning(source: AsyncIterator<Uint8Array>): Promise<{ first: Uint8Array; isAll: boolean }> {
  const chunks: Uint8Array[] = []
  for (let size = 0; size <= maxPacked;) {
    const next = await source.next()
    if (next.done) return { first: Buffer.concat(chunks), isAll: true }
    chunks.push(next.value)
    size += next.value.length
  }
  return { first: Buffer.concat(chunks), isAll: false }
}

/** What is broken or becomes too large is left to the stream, which gives what it can. */
function orNone(decode: () => Uint8Array): Uint8Array | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}

/** "deflate" means zlib, but many servers send raw deflate; the first two bytes tell (RFC 1950, 2.2). */
async function* inflate(source: Bytes): Bytes {
  const iterator = source[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) return
  const [head = 0, flags = 0] = first.value
  const isZlib = (head & 0x0f) === 8 && (head * 256 + flags) % 31 === 0
  yield* through(isZlib ? zlibbed : deflated, zlibOptions)(startingWith(first.value, iterator))
}

async function* one(bytes: Uint8Array): Bytes {
  yield bytes
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Bytes {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}
