import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Exchange } from '../../core/exchange.ts'
import { UsageError } from '../command.ts'
import { requestBlock, responseBlock, targetOf } from './warc-http.ts'
import { compressed, fieldLines, newRecordId, type WarcRecord } from './warc-record.ts'
import { wholeLength } from './warc-tail.ts'

export type WarcWriter = {
  /** Resolves when the records lie in the file: whoever waits for it never gets ahead of the disk. */
  write(exchange: Exchange): Promise<void>
  /** Length of the file up to its last whole record. */
  bytes(): number
  close(): Promise<void>
}
export type WarcOptions = {
  /** Name and version of the program. */
  software: string
  now: () => number
  /** Length up to which an existing file is known to be whole, so that it need not be read again. */
  wholeUpTo?: number | undefined
}

/** Opens a compressed WARC 1.1 file to append to. Fails with UsageError when there is another kind of file, or a damaged one. */
export async function createWarcWriter(path: string, options: WarcOptions): Promise<WarcWriter> {
  await mkdir(dirname(path), { recursive: true })
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
  if (length === 'foreign') throw new UsageError(`${path} is no compressed WARC file. Name another for --warc.`)
  if (length === 'damaged') throw new UsageError(`${path} is damaged, not only cut. Name another file for --warc.`)
  return length
}

/** Appends one after the other; what could not be written whole is cut off again. */
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

/** The response record comes first, and the others name it. All are dated with the moment of the request. */
function recordsOf({ at, request, response, metadata }: Exchange, infoId: string): WarcRecord[] {
  const target = targetOf(response.url)
  const asked = targetOf(request.url)
  const id = newRecordId()
  const common = { at, fields: { 'WARC-Target-URI': target, 'WARC-Warcinfo-ID': infoId } }
  const beside = { at, fields: { ...common.fields, 'WARC-Concurrent-To': id } }
  // Where a client followed redirects by itself, only the last request and its answer are known.
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
