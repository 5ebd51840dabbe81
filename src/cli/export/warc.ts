import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { constants, crc32, inflateRaw, type Zlib } from 'node:zlib'
import type { Exchange } from '../../contracts/fetch.ts'
import { UsageError } from '../command.ts'
import { makePlace } from './jsonl.ts'
import {
  compressed,
  fieldLines,
  newRecordId,
  requestBlock,
  responseBlock,
  targetOf,
  type WarcRecord,
} from './warc-record.ts'

export type WarcWriter = {
  /** Resolves when the records are in the file, so callers never outrun the disk. */
  write(exchange: Exchange): Promise<void>
  /** Length of the file up to its last complete record. */
  bytes(): number
  close(): Promise<void>
}
export type WarcOptions = {
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

/** Appends in sequence; removes an incomplete write. */
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
    append: (coming: Promise<Uint8Array>): Promise<void> => {
      const mine = Promise.all([coming, last]).then(([bytes]) => put(bytes))
      last = mine.catch(() => {})
      return mine
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

/** The response record comes first, and the others refer to it. All have the time of the request. */
function recordsOf({ at, request, response, metadata }: Exchange, infoId: string): WarcRecord[] {
  const target = targetOf(response.url)
  const asked = targetOf(request.url)
  const id = newRecordId()
  const common = { at, fields: { 'WARC-Target-URI': target, 'WARC-Warcinfo-ID': infoId } }
  const beside = { at, fields: { ...common.fields, 'WARC-Concurrent-To': id } }
  // If a client followed redirects itself, only the last request and its response are known.
  const notes = { ...(asked !== target && { redirectedFrom: asked }), ...metadata }
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
      ...beside,
      type: 'request',
      id: newRecordId(),
      contentType: 'application/http;msgtype=request',
      block: requestBlock({ ...request, url: target }),
    },
    ...(Object.keys(notes).length === 0
      ? []
      : [
          {
            ...beside,
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
 * Length of a compressed WARC file up to its last complete record. Checks the bytes after `from`, where a record
 * starts or the file ends. Returns `foreign` for another kind of file, and `damaged` if more than its end is missing:
 * neither may be truncated.
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
  // Too short to identify; it starts like a WARC file.
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

/** Length of a gzip header (RFC 1952, 2.3); more than the available bytes if it is cut. */
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
