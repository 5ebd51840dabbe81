import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { constants, crc32, gzip, inflateRaw, type Zlib } from 'node:zlib'
import type { Exchange } from '../../contracts/fetch.ts'
import { UsageError } from '../command.ts'
import { makePlace } from './jsonl.ts'
import { hash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { promisify } from 'node:util'

type WarcWriter = {
  /** Resolves when the records are in the file, so that callers wait for the disk. */
  write(exchange: Exchange): Promise<void>
  /** Length of the file up to its last complete record. */
  bytes(): number
  close(): Promise<void>
}
type WarcOptions = {
  /** Name and version of the program. */
  software: string
  now: () => number
  /** Length up to which an existing file is known to be complete, so it is not read again. */
  wholeUpTo?: number | undefined
}

/** Opens a compressed WARC 1.1 file to append to. Fails with UsageError if the file is of another kind or damaged. */
export async function createWarcWriter(path: string, options: WarcOptions): Promise<WarcWriter> {
  await makePlace('--warc', dirname(path))
  const file = await open(path, 'a+')
  try {
    const length = await lengthToKeep(file, path, options.wholeUpTo ?? 0)
    await file.truncate(length)
    const tail = appender(file, length)
    const info = infoRecord(path, options)
    await tail.append(compressed([info]))
    return {
      write: async (exchange) => tail.append(compressed(recordsOf(exchange, info.id))),
      bytes: tail.length,
      close: async () => {
        await tail.settled()
        await file.datasync()
        await file.close()
      },
    }
  } catch (thrown) {
    await file.close()
    throw thrown
  }
}

async function lengthToKeep(file: FileHandle, path: string, wholeUpTo: number): Promise<number> {
  const { size } = await file.stat()
  const length = await wholeLength(file, wholeUpTo <= size ? wholeUpTo : 0)
  if (length === 'foreign') throw new UsageError(`${path} is not a compressed WARC file. Name another file for --warc.`)
  if (length === 'damaged') throw new UsageError(`${path} is damaged. Name another file for --warc.`)
  return length
}

/** Creates a writer that appends in sequence and removes an incomplete write. */
function appender(file: FileHandle, start: number) {
  let length = start
  let last: Promise<unknown> = Promise.resolve()
  const put = async (bytes: Uint8Array) => {
    try {
      await file.appendFile(bytes)
      length += bytes.length
    } catch (cause) {
      await file.truncate(length).catch(() => {})
      throw cause
    }
  }
  return {
    append: (content: Promise<Uint8Array>): Promise<void> => {
      const written = Promise.all([content, last]).then(([bytes]) => put(bytes))
      last = written.catch(() => {})
      return written
    },
    length: () => length,
    settled: () => last,
  }
}

const infoRecord = (path: string, { software, now }: WarcOptions): WarcRecord => ({
  type: 'warcinfo',
  id: newRecordId(),
  at: now(),
  contentType: 'application/warc-fields',
  fields: { 'WARC-Filename': encodeURI(basename(path).toWellFormed()) },
  block: fieldLines({
    software,
    format: 'WARC File Format 1.1',
    conformsTo: 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
  }),
})

/**
 * Creates the records of an exchange: the response first, and others that refer to it. All have the time of the
 * request.
 */
function recordsOf({ at, request, response, metadata }: Exchange, infoId: string): WarcRecord[] {
  const target = targetOf(response.url)
  const requested = targetOf(request.url)
  const id = newRecordId()
  const common = { at, fields: { 'WARC-Target-URI': target, 'WARC-Warcinfo-ID': infoId } }
  const concurrent = { at, fields: { ...common.fields, 'WARC-Concurrent-To': id } }
  // If a client followed redirects itself, only the last request and its response are known.
  const notes = { ...(requested !== target && { redirectedFrom: requested }), ...metadata }
  return [
    {
      ...common,
      type: 'response',
      id,
      contentType: 'application/http;msgtype=response',
      block: responseBlock(response),
      payload: response.body,
    },
    {
      ...concurrent,
      type: 'request',
      id: newRecordId(),
      contentType: 'application/http;msgtype=request',
      block: requestBlock({ ...request, url: target }),
    },
    ...(Object.keys(notes).length === 0
      ? []
      : [
          {
            ...concurrent,
            type: 'metadata' as const,
            id: newRecordId(),
            contentType: 'application/warc-fields',
            block: fieldLines(notes),
          },
        ]),
  ]
}

/** A gzip member; without `end` it continues beyond the available bytes. */
type Member = { end?: number; isWarc: boolean }

/**
 * Returns the length of a compressed WARC file up to its last complete record. Checks the bytes after `from`, where a
 * record starts or the file ends. Returns `foreign` for another kind of file, and `damaged` if more than its end is
 * missing; neither may be truncated.
 */
async function wholeLength(file: FileHandle, from: number): Promise<number | 'foreign' | 'damaged'> {
  const { size } = await file.stat()
  let end = from
  while (end < size) {
    const member = await memberAt(file, end, size)
    if (member === 'damaged') return end === 0 ? 'foreign' : 'damaged'
    if (!member.isWarc) return 'foreign'
    if (member.end === undefined) return end
    end += member.end
  }
  return end === size ? end : 'damaged'
}

const firstWindow = 32 * 1024

async function memberAt(file: FileHandle, start: number, size: number): Promise<Member | 'damaged'> {
  for (let window = firstWindow; ; window *= 4) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(Math.min(window, size - start)), 0, null, start)
    const member = await memberIn(buffer.subarray(0, bytesRead))
    if (member === 'damaged' || member.end !== undefined) return member
    if (bytesRead < window) return member
  }
}

async function memberIn(bytes: Buffer): Promise<Member | 'damaged'> {
  if (!gzipStart.subarray(0, bytes.length).equals(bytes.subarray(0, gzipStart.length))) return 'damaged'
  const head = headerLength(bytes)
  // The gzip header is cut, so the content is unknown; it is treated as the start of a WARC record.
  if (head > bytes.length) return { isWarc: true }
  const inflated = await inflate(bytes.subarray(head))
  if (inflated === 'damaged') return inflated
  const { content, consumed } = inflated
  const isWarc = warcStart.subarray(0, content.length).equals(content.subarray(0, warcStart.length))
  const trailer = head + consumed
  if (trailer + trailerLength > bytes.length) return { isWarc }
  const isIntact =
    bytes.readUInt32LE(trailer) === crc32(content) && bytes.readUInt32LE(trailer + 4) === content.length % 2 ** 32
  return isIntact ? { isWarc, end: trailer + trailerLength } : 'damaged'
}

const gzipStart = Buffer.from([0x1f, 0x8b, 8])
const warcStart = Buffer.from('WARC/')
const trailerLength = 8
const flags = { headerCrc: 2, extra: 4, name: 8, comment: 16 }

/** Returns the length of a gzip header (RFC 1952, 2.3); more than the available bytes if the header is cut. */
function headerLength(bytes: Buffer): number {
  const flag = bytes[3]
  if (flag === undefined) return Infinity
  let length = 10
  if (flag & flags.extra) length += 2 + (length + 2 <= bytes.length ? bytes.readUInt16LE(length) : Infinity)
  for (const text of [flags.name, flags.comment])
    if (flag & text) {
      const end = bytes.indexOf(0, length)
      length = end === -1 ? Infinity : end + 1
    }
  return flag & flags.headerCrc ? length + 2 : length
}

/** Inflates the available bytes; `consumed` is the end of the compressed data. */
function inflate(bytes: Buffer): Promise<{ content: Buffer; consumed: number } | 'damaged'> {
  return new Promise((resolve) => {
    const options = { info: true, finishFlush: constants.Z_SYNC_FLUSH }
    inflateRaw(bytes, options, (error, result) => {
      // With `info` the result is this pair, which the types do not declare.
      const { buffer: content, engine } = (result ?? {}) as unknown as { buffer: Buffer; engine: Zlib }
      resolve(error ? 'damaged' : { content, consumed: engine.bytesWritten })
    })
  })
}

type WarcRecord = {
  type: 'warcinfo' | 'request' | 'response' | 'metadata'
  /** Created by `newRecordId`. */
  id: string
  /** Time of the recorded event, ms since the epoch. */
  at: number
  contentType: string
  /** Further named fields of its header. */
  fields?: Readonly<Record<string, string>>
  block: Uint8Array
  /** The part of the block that is the content itself. */
  payload?: Uint8Array
}

const newRecordId = () => `<urn:uuid:${crypto.randomUUID()}>`

/** Formats a WARC 1.1 record (IIPC, ISO 28500:2017): header, block, two empty lines. */
function recordBytes({ type, id, at, contentType, fields = {}, block, payload }: WarcRecord): Buffer {
  const header = {
    'WARC-Type': type,
    'WARC-Record-ID': id,
    'WARC-Date': new Date(at).toISOString(),
    ...fields,
    'WARC-Block-Digest': digest(block),
    ...(payload && { 'WARC-Payload-Digest': digest(payload) }),
    'Content-Type': contentType,
    'Content-Length': String(block.length),
  }
  const head = Object.entries(header).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${head.join('')}\r\n`), block, Buffer.from('\r\n\r\n')])
}

const compress = promisify(gzip)

/** Compresses each record as its own gzip member, so that readers can start at any record (WARC 1.1, annex D). */
async function compressed(records: readonly WarcRecord[]): Promise<Buffer> {
  return Buffer.concat(await Promise.all(records.map((record) => compress(recordBytes(record)))))
}

/** Formats content of the type application/warc-fields. */
function fieldLines(fields: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(fields).map(([name, value]) => `${fieldName(name)}: ${oneLine(value)}\r\n`)
  return Buffer.from(lines.join(''))
}

/** Converts a field name to a token (RFC 9110, 5.6.2). */
const fieldName = (name: string) => name.replace(/[^!#$%&'*+.^_`|~\w-]/g, '-') || '-'
/** Removes characters that would end the line early or are not allowed in a field. */
const oneLine = (value: string) => value.replace(/[\r\n\0]+/g, ' ').trim()

/** Returns the SHA-1 in base 32, the usual form in archives. */
function digest(bytes: Uint8Array): string {
  // 160 bits are 32 digits of five bits each.
  const digits = BigInt(`0x${hash('sha1', bytes, 'hex')}`)
    .toString(32)
    .padStart(32, '0')
  return `sha1:${digits.replace(/./g, (digit) => base32[Number.parseInt(digit, 32)] ?? '')}`
}
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the URL of a record: in ASCII, without the fragment, which is never sent. */
export function targetOf(url: string): string {
  if (!URL.canParse(url)) return encodeURI(oneLine(url).toWellFormed())
  const target = new URL(url)
  target.hash = ''
  return target.href
}

/** Formats the request as HTTP/1.1. */
function requestBlock({ url, method, headers }: Exchange['request']): Buffer {
  const { host, pathname, search } = new URL(url)
  const hasHost = Object.keys(headers).some((name) => name.toLowerCase() === 'host')
  const lines = [...(hasHost ? [] : [['host', host] as const]), ...Object.entries(headers)]
  return Buffer.concat([Buffer.from(`${fieldName(method)} ${pathname}${search} HTTP/1.1\r\n`), headerLines(lines)])
}

/** Formats the response with its decoded body; headers about the encoding get other names. */
function responseBlock({ status, headers, body }: Exchange['response']): Buffer {
  const archived = Object.entries(headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    if (lower === 'content-length' && value === String(body.length)) return []
    return [[aboutCoding.has(lower) ? `X-Archive-Orig-${name}` : name, value] as const]
  })
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`),
    headerLines([...archived, ['content-length', String(body.length)]]),
    body,
  ])
}
const aboutCoding = new Set(['content-encoding', 'transfer-encoding', 'content-length'])

const headerLines = (headers: readonly (readonly [string, string])[]) =>
  Buffer.concat([
    ...headers.map(([name, value]) => asReceived(`${fieldName(name)}: ${oneLine(value)}\r\n`)),
    Buffer.from('\r\n'),
  ])

/** Encodes header text, of which each byte was read as one character, to the same bytes; other text to UTF-8. */
const asReceived = (line: string) => Buffer.from(line, /[^\0-\xFF]/.test(line) ? 'utf8' : 'latin1')
