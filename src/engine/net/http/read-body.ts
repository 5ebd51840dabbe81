import { pipeline, Readable, type Transform } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import zlib from 'node:zlib'
import { fail } from '../../../kernel/error.ts'
import { gunzip, isGzip, noteGzip } from '../../../util/file-bytes.ts'
import { isBinary } from '../charset.ts'
import { isMalformed } from './connector.ts'

type Bytes = AsyncIterable<Uint8Array>
/** Facts found while decoding a body. `isCut`: it ended early. */
type Findings = { isCut: boolean }
type Decoder = (source: Bytes, findings: Findings) => Bytes
/** A content coding, decoded either as a stream or in one call. */
type Coding = {
  stream(): Transform & zlib.Zlib
  whole(bytes: Uint8Array): Uint8Array
  /** Flush mode that outputs everything decoded so far. */
  flush: number
  /** Number of final bytes that may contain a checksum, fed to the decoder one by one. */
  tail: number
}

const maxCodings = 4
/**
 * Limits, before and after decoding, for bodies that are decoded in one call: streams around a decoder take twice as
 * long as the decoder itself.
 */
const maxPacked = 128 * 1024
const maxWhole = 1024 * 1024

const chunkSize = 65_536
const wholeOptions = { maxOutputLength: maxWhole }
/** 8 MB is the largest window that RFC 9659 permits for content coding; the format itself allows 2 GB. */
const zstdOptions = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } }
const [sync, flushBrotli, flushZstd] = [
  zlib.constants.Z_SYNC_FLUSH,
  zlib.constants.BROTLI_OPERATION_FLUSH,
  zlib.constants.ZSTD_e_flush,
]

/** Copies bytes that fill less than half of their buffer, because the whole buffer would stay in memory with them. */
const compact = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength * 2 < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes

const gzip: Coding = {
  stream: () => zlib.createGunzip({ chunkSize }),
  whole: (bytes) => compact(gunzip(bytes, maxWhole)),
  flush: sync,
  tail: 64,
}
const zlibbed: Coding = {
  stream: () => zlib.createInflate({ chunkSize }),
  whole: (bytes) => zlib.inflateSync(bytes, wholeOptions),
  flush: sync,
  tail: 0,
}
const deflated: Coding = {
  stream: () => zlib.createInflateRaw({ chunkSize }),
  whole: (bytes) => zlib.inflateRawSync(bytes, wholeOptions),
  flush: sync,
  tail: 0,
}
const brotli: Coding = {
  stream: () => zlib.createBrotliDecompress({ chunkSize }),
  whole: (bytes) => zlib.brotliDecompressSync(bytes, wholeOptions),
  flush: flushBrotli,
  tail: 0,
}
const zstd: Coding = {
  stream: () => zlib.createZstdDecompress({ chunkSize, ...zstdOptions }),
  whole: (bytes) => zlib.zstdDecompressSync(bytes, { ...zstdOptions, ...wholeOptions }),
  flush: flushZstd,
  tail: 0,
}

/** Codings that can be decoded in one call. */
const codings = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['br', brotli],
  ['zstd', zstd],
])

const decoders = new Map<string, Decoder>([
  ['gzip', ifGzip],
  ['x-gzip', ifGzip],
  ['br', orGzip(through(brotli))],
  ['zstd', orGzip(through(zstd))],
  ['deflate', orGzip(inflate)],
])
/** Invalid coding names that servers send; browsers ignore them too. */
const ignored = /^(?:|identity|none|utf-?8|iso-8859-\d+|binary|text\/.*)$/

/**
 * Treatment of a partial body: `keep if ended` accepts it if the connection ended early, `keep` even if the parser
 * rejected the rest.
 */
export type IfCut = 'fail' | 'keep if ended' | 'keep'

/** Decoded bytes of a body; if it is cut, those that were received. */
export type ReadBody = { bytes: Uint8Array; isCut: boolean }

/**
 * Reads and decodes a body. Short gzip bodies are remembered, see `gzipOf`. The output of every decoding stage is
 * limited to `maxBytes`, so decompression bombs end early in any nesting. Fails with SCRAPE_SITE_ERROR if the body is
 * too large or cannot be decoded; always destroys `body`.
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

/** Decodes a short body in one call; undefined if it should be read as a stream. */
function decodedAtOnce(body: Uint8Array, contentEncoding: string): Uint8Array | undefined {
  const name = contentEncoding.trim().toLowerCase()
  if (ignored.test(name)) return body
  const coding = body.length <= maxPacked ? codings.get(name) : undefined
  if (coding === gzip && !isGzip(body)) return isBinary(body) ? undefined : body
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
    const received = ifCut === 'fail' ? body : untilCut(body, findings, ifCut)
    const source = stages[0] === ifGzip ? gzipOrText(received) : received
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
    const decode = decoders.get(name)
    // Unknown codings are ignored, as in browsers. A body that was compressed twice often declares gzip only once.
    return decode === undefined ? [] : decode === ifGzip ? [ifGzip, ifGzip] : [decode]
  })
}

/** Yields the bytes received before the body was cut; fails if there were none. */
async function* untilCut(body: Bytes, findings: Findings, ifCut: IfCut): Bytes {
  let isEmpty = true
  try {
    for await (const chunk of body) {
      isEmpty = false
      yield chunk
    }
  } catch (error) {
    if (isEmpty || (ifCut === 'keep if ended' && isMalformed(error))) throw error
    findings.isCut = true
  }
}

/** Fails for bytes that are neither gzip nor text, as browsers do. */
async function* gzipOrText(body: Bytes): Bytes {
  const iterator = body[Symbol.asyncIterator]()
  const { first } = await beginning(iterator, 1445)
  const isWrong = !isGzip(first) && isBinary(first)
  if (isWrong) throw Object.assign(new Error('incorrect header check'), { code: 'Z_DATA_ERROR' })
  yield* startingWith(first, iterator)
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

/** Decodes a stream. A truncated body is decoded as far as possible, as in browsers. */
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
    // Output all decoded bytes before the end is checked: an error would discard them.
    for (let at = 0; at <= held.length; at++) {
      await new Promise<void>((resolve) => decoder.flush(flush, () => resolve()))
      while (decoder.readableLength > 0 && !decoder.destroyed) await setImmediate()
      if (at < held.length) yield held.subarray(at, at + 1)
    }
  }
  try {
    // The callback only prevents an exception from the pipeline: failures reach the reader of the returned stream.
    yield* pipeline(flushed, decoder, () => {}) as Bytes
  } catch (error) {
    // Ignore a wrong checksum and trailing data, as browsers do.
    if (tail > 0 && error instanceof Error && /^incorrect (?:data|length|header) check$/.test(error.message)) return
    if (!isUnexpectedEnd(error)) throw error
    findings.isCut = true
  }
}

const isUnexpectedEnd = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR'

/** Reads chunks until there are at least `atLeast` bytes, or to the end. */
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

/** Returns undefined if decoding fails or the result is too large; a stream can then decode a part of it. */
function orNone(decode: () => Uint8Array): Uint8Array | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}

/**
 * Decodes "deflate", which means zlib (RFC 1950), but many servers send raw deflate. The first two bytes show which.
 */
async function* inflate(source: Bytes, findings: Findings): Bytes {
  const iterator = source[Symbol.asyncIterator]()
  const { first } = await beginning(iterator, 2)
  const [head, flags] = first
  if (head === undefined) return
  const isZlib = (head & 0x0f) === 8 && (head * 256 + (flags ?? 0)) % 31 === 0
  yield* through(isZlib ? zlibbed : deflated)(startingWith(first, iterator), findings)
}

/** Decodes gzip. A body that is declared as gzip but is not compressed is returned unchanged. */
function ifGzip(source: Bytes, findings: Findings): Bytes {
  return orGzip((bytes) => bytes)(source, findings)
}

/** Decodes gzip, and other bytes with the given decoder: some servers declare the wrong coding for gzip. */
function orGzip(decode: Decoder): Decoder {
  return async function* (source, findings) {
    const iterator = source[Symbol.asyncIterator]()
    const { first } = await beginning(iterator, 3)
    yield* (isGzip(first) ? through(gzip) : decode)(startingWith(first, iterator), findings)
  }
}

async function* one(bytes: Uint8Array): Bytes {
  yield bytes
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Bytes {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}
