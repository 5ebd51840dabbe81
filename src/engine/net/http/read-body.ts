import { pipeline, Readable, type Transform } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import zlib from 'node:zlib'
import { fail } from '../../../kernel/error.ts'
import { gunzip, isGzip, noteGzip } from '../../../util/file-bytes.ts'

type Bytes = AsyncIterable<Uint8Array>
/** What was found out about a body while it was decoded. */
type Findings = { isCut: boolean }
type Decoder = (source: Bytes, findings: Findings) => Bytes
/** Two ways to decode: bytes as they come, and those that are there at once. */
type Coding = {
  stream(): Transform & zlib.Zlib
  whole(bytes: Uint8Array): Uint8Array
  /** What a stream gives so far. */
  flush: number
  /** Bytes at the end that may hold a checksum, given to the decoder one by one. */
  tail: number
}

const maxCodings = 4
/** Decoded at once where it becomes no more than `maxWhole`: the streams around a decoder cost twice what it does. */
const maxPacked = 128 * 1024
const maxWhole = 1024 * 1024

const chunkSize = 65_536
const atOnce = { maxOutputLength: maxWhole }
/** 8 MB is the largest window RFC 9659 permits in content coding; the format itself would allow 2 GB. */
const zstdOptions = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } }
const [sync, flushBrotli, flushZstd] = [
  zlib.constants.Z_SYNC_FLUSH,
  zlib.constants.BROTLI_OPERATION_FLUSH,
  zlib.constants.ZSTD_e_flush,
]

/** What fills less than half of its buffer is copied out of it, which would else stay as long as the page does. */
const alone = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength * 2 < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes

const gzip: Coding = {
  stream: () => zlib.createGunzip({ chunkSize }),
  whole: (bytes) => alone(gunzip(bytes, maxWhole)),
  flush: sync,
  tail: 64,
}
const zlibbed: Coding = {
  stream: () => zlib.createInflate({ chunkSize }),
  whole: (bytes) => zlib.inflateSync(bytes, atOnce),
  flush: sync,
  tail: 0,
}
const deflated: Coding = {
  stream: () => zlib.createInflateRaw({ chunkSize }),
  whole: (bytes) => zlib.inflateRawSync(bytes, atOnce),
  flush: sync,
  tail: 0,
}
const brotli: Coding = {
  stream: () => zlib.createBrotliDecompress({ chunkSize }),
  whole: (bytes) => zlib.brotliDecompressSync(bytes, atOnce),
  flush: flushBrotli,
  tail: 0,
}
const zstd: Coding = {
  stream: () => zlib.createZstdDecompress({ chunkSize, ...zstdOptions }),
  whole: (bytes) => zlib.zstdDecompressSync(bytes, { ...zstdOptions, ...atOnce }),
  flush: flushZstd,
  tail: 0,
}

/** Those whose bytes can be decoded at once. */
const codings = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['br', brotli],
  ['zstd', zstd],
])

const decoders = new Map<string, Decoder>([
  ['gzip', ifGzip],
  ['x-gzip', ifGzip],
  ['br', through(brotli)],
  ['zstd', through(zstd)],
  ['deflate', inflate],
])
/** Not codings, but servers send them; browsers ignore them too. */
const ignored = /^(?:|identity|none|utf-?8|iso-8859-\d+|binary|text\/.*)$/

/** Whether what came of a body is taken where the connection ends before it does. */
export type IfCut = 'fail' | 'keep'

/** The bytes of a body; of one that ends before its coding does, those that came. */
export type ReadBody = { bytes: Uint8Array; isCut: boolean }

/**
 * Reads and decodes a body; that a short one came as a gzip is noted, see `gzipOf`. Every stage of decoding counts its output against `maxBytes`, so that a bomb ends early
 * whatever its wrapping. Fails with SCRAPE_SITE_ERROR where it is too large or not decodable; destroys `body` in any case.
 */
export async function readBody(
  body: Readable | Uint8Array,
  contentEncoding: string,
  maxBytes: number,
  ifCut: IfCut = 'fail',
): Promise<ReadBody> {
  if (!(body instanceof Uint8Array)) return readStream(body, contentEncoding, maxBytes, ifCut)
  const bytes = decodedAtOnce(body, contentEncoding)
  if (bytes && bytes.length <= maxBytes && body.length <= maxBytes) return { bytes, isCut: false }
  return readStream(Readable.from([body]), contentEncoding, maxBytes, ifCut)
}

/** Undefined for what is better read as a stream. */
function decodedAtOnce(body: Uint8Array, contentEncoding: string): Uint8Array | undefined {
  const name = contentEncoding.trim().toLowerCase()
  if (ignored.test(name)) return body
  const coding = body.length <= maxPacked ? codings.get(name) : undefined
  if (coding === gzip && !isGzip(body)) return body
  const bytes = coding && orNone(() => coding.whole(body))
  if (bytes && coding === gzip && isGzip(bytes)) return undefined
  if (bytes && coding === gzip && body.length < bytes.length) noteGzip(bytes, body)
  return bytes
}

async function readStream(body: Readable, contentEncoding: string, maxBytes: number, ifCut: IfCut): Promise<ReadBody> {
  body.on('error', () => {})
  const findings: Findings = { isCut: false }
  try {
    const stages = codingsOf(contentEncoding).toReversed()
    const source = ifCut === 'keep' ? untilCut(body, findings) : body
    const decoded = stages.reduce(
      (bytes, decode) => capped(decode(bytes, findings), maxBytes),
      capped(source, maxBytes),
    )
    const chunks: Uint8Array[] = []
    for await (const chunk of decoded) chunks.push(chunk)
    return { bytes: Buffer.concat(chunks), isCut: findings.isCut }
  } finally {
    body.destroy()
  }
}

function codingsOf(contentEncoding: string): Decoder[] {
  const names = contentEncoding.split(',').map((name) => name.trim().toLowerCase())
  const wanted = names.filter((name) => !ignored.test(name))
  if (wanted.length > maxCodings)
    fail('SCRAPE_SITE_ERROR', { message: `The page is wrapped in more than ${maxCodings} content codings.` })
  return wanted.flatMap((name) => {
    const decode =
      decoders.get(name) ?? fail('SCRAPE_SITE_ERROR', { message: 'The page uses an unknown content coding.' })
    // What is packed twice often says so only once.
    return decode === ifGzip ? [ifGzip, ifGzip] : [decode]
  })
}

/** What came before the connection ended, if anything did. */
async function* untilCut(body: Bytes, findings: Findings): Bytes {
  let isEmpty = true
  try {
    for await (const chunk of body) {
      isEmpty = false
      yield chunk
    }
  } catch (error) {
    if (isEmpty) throw error
    findings.isCut = true
  }
}

async function* capped(bytes: Bytes, maxBytes: number): Bytes {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > maxBytes) fail('SCRAPE_SITE_ERROR', { message: `The page is larger than ${maxBytes} bytes.` })
    yield chunk
  }
}

function through(coding: Coding): Decoder {
  return async function* (source, findings) {
    const iterator = source[Symbol.asyncIterator]()
    const { first, isAll } = await beginning(iterator, maxPacked + 1)
    const decoded = isAll ? orNone(() => coding.whole(first)) : undefined
    if (decoded) return yield decoded
    const rest = isAll ? one(first) : startingWith(first, iterator)
    yield* streamed(coding, rest, findings)
  }
}

/** A body that is cut short is shown as far as it came, as browsers do. */
async function* streamed({ stream, flush, tail }: Coding, source: Bytes, findings: Findings): Bytes {
  const decoder = stream()
  async function* flushed(): Bytes {
    let held: Uint8Array = new Uint8Array()
    for await (const chunk of source) {
      const all = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      const end = Math.max(0, all.length - tail)
      if (end > 0) yield all.subarray(0, end)
      held = all.subarray(end)
    }
    // What has been decoded is handed on before the end is judged, which an error would swallow.
    for (let at = 0; at <= held.length; at++) {
      await new Promise<void>((resolve) => decoder.flush(flush, () => resolve()))
      while (decoder.readableLength > 0 && !decoder.destroyed) await setImmediate()
      if (at < held.length) yield held.subarray(at, at + 1)
    }
  }
  try {
    // The callback only keeps the pipeline from raising: failures reach the reader of the stream it returns.
    yield* pipeline(flushed, decoder, () => {}) as Bytes
  } catch (error) {
    // Neither a wrong checksum nor what stands behind it counts, as in browsers.
    if (tail > 0 && error instanceof Error && /^incorrect (?:data|length|header) check$/.test(error.message)) return
    if (!isUnexpectedEnd(error)) throw error
    findings.isCut = true
  }
}

const isUnexpectedEnd = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR'

/** The first chunks, of at least so many bytes together where there are as many. */
async function beginning(
  source: AsyncIterator<Uint8Array>,
  atLeast: number,
): Promise<{ first: Uint8Array; isAll: boolean }> {
  const chunks: Uint8Array[] = []
  for (let size = 0; size < atLeast;) {
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
async function* inflate(source: Bytes, findings: Findings): Bytes {
  const iterator = source[Symbol.asyncIterator]()
  const { first } = await beginning(iterator, 2)
  const [head, flags] = first
  if (head === undefined) return
  const isZlib = (head & 0x0f) === 8 && (head * 256 + (flags ?? 0)) % 31 === 0
  yield* through(isZlib ? zlibbed : deflated)(startingWith(first, iterator), findings)
}

/** What is labelled as gzip and is none was never packed. */
async function* ifGzip(source: Bytes, findings: Findings): Bytes {
  const iterator = source[Symbol.asyncIterator]()
  const { first } = await beginning(iterator, 3)
  const all = startingWith(first, iterator)
  yield* isGzip(first) ? through(gzip)(all, findings) : all
}

async function* one(bytes: Uint8Array): Bytes {
  yield bytes
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Bytes {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}
