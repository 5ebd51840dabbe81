import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export type WarcRecord = {
  type: 'warcinfo' | 'request' | 'response' | 'metadata'
  /** As `newRecordId` makes it. */
  id: string
  /** When what it holds happened, ms since the epoch. */
  at: number
  contentType: string
  /** Further named fields of its header. */
  fields?: Readonly<Record<string, string>>
  block: Uint8Array
  /** The part of the block that is the content itself. */
  payload?: Uint8Array
}

export const newRecordId = () => `<urn:uuid:${crypto.randomUUID()}>`

/** A record as WARC 1.1 has it (IIPC, ISO 28500:2017): header, block, two empty lines. */
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

/** Each record is a gzip member of its own, so that readers can begin at any (WARC 1.1, annex D). */
export async function compressed(records: readonly WarcRecord[]): Promise<Buffer> {
  return Buffer.concat(await Promise.all(records.map((record) => compress(recordBytes(record)))))
}

/** Content of the type application/warc-fields. */
export function fieldLines(fields: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(fields).map(([name, value]) => `${fieldName(name)}: ${oneLine(value)}\r\n`)
  return Buffer.from(lines.join(''))
}

/** A name is a token (RFC 9110, 5.6.2). */
export const fieldName = (name: string) => name.replace(/[^!#$%&'*+.^_`|~\w-]/g, '-') || '-'
/** Anything that would end the line early, or that no field may hold. */
export const oneLine = (value: string) => value.replace(/[\r\n\0]+/g, ' ').trim()

/** SHA-1 in base 32, which is how archives write it. */
function digest(bytes: Uint8Array): string {
  // 160 bits are 32 digits of five bits each.
  const digits = BigInt(`0x${hash('sha1', bytes, 'hex')}`)
    .toString(32)
    .padStart(32, '0')
  return `sha1:${digits.replace(/./g, (digit) => base32[Number.parseInt(digit, 32)] ?? '')}`
}
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
