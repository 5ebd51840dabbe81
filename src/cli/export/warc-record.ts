import { hash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Exchange } from '../../contracts/fetch.ts'

export type WarcRecord = {
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

export const newRecordId = () => `<urn:uuid:${crypto.randomUUID()}>`

/** A WARC 1.1 record (IIPC, ISO 28500:2017): header, block, two empty lines. */
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

/** Each record is its own gzip member, so readers can start at any record (WARC 1.1, annex D). */
export async function compressed(records: readonly WarcRecord[]): Promise<Buffer> {
  return Buffer.concat(await Promise.all(records.map((record) => compress(recordBytes(record)))))
}

/** Content of the type application/warc-fields. */
export function fieldLines(fields: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(fields).map(([name, value]) => `${fieldName(name)}: ${oneLine(value)}\r\n`)
  return Buffer.from(lines.join(''))
}

/** A name is a token (RFC 9110, 5.6.2). */
const fieldName = (name: string) => name.replace(/[^!#$%&'*+.^_`|~\w-]/g, '-') || '-'
/** Removes characters that would end the line early or are not allowed in a field. */
const oneLine = (value: string) => value.replace(/[\r\n\0]+/g, ' ').trim()

/** SHA-1 in base 32, the usual form in archives. */
function digest(bytes: Uint8Array): string {
  // 160 bits are 32 digits of five bits each.
  const digits = BigInt(`0x${hash('sha1', bytes, 'hex')}`)
    .toString(32)
    .padStart(32, '0')
  return `sha1:${digits.replace(/./g, (digit) => base32[Number.parseInt(digit, 32)] ?? '')}`
}
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The URL of a record: in ASCII, without the fragment, which is never sent. */
export function targetOf(url: string): string {
  if (!URL.canParse(url)) return encodeURI(oneLine(url).toWellFormed())
  const target = new URL(url)
  target.hash = ''
  return target.href
}

/** The request in HTTP/1.1 wire format. */
export function requestBlock({ url, method, headers }: Exchange['request']): Buffer {
  const { host, pathname, search } = new URL(url)
  const hasHost = Object.keys(headers).some((name) => name.toLowerCase() === 'host')
  const lines = [...(hasHost ? [] : [['host', host] as const]), ...Object.entries(headers)]
  return Buffer.concat([Buffer.from(`${fieldName(method)} ${pathname}${search} HTTP/1.1\r\n`), headerLines(lines)])
}

/** The response with its decoded body; headers about the encoding are kept under other names. */
export function responseBlock({ status, headers, body }: Exchange['response']): Buffer {
  const kept = Object.entries(headers).flatMap(([name, value]) => {
    const known = name.toLowerCase()
    if (known === 'content-length' && value === String(body.length)) return []
    return [[aboutCoding.has(known) ? `X-Archive-Orig-${name}` : name, value] as const]
  })
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`),
    headerLines([...kept, ['content-length', String(body.length)]]),
    body,
  ])
}
const aboutCoding = new Set(['content-encoding', 'transfer-encoding', 'content-length'])

const headerLines = (headers: readonly (readonly [string, string])[]) =>
  Buffer.concat([
    ...headers.map(([name, value]) => asReceived(`${fieldName(name)}: ${oneLine(value)}\r\n`)),
    Buffer.from('\r\n'),
  ])

/** Header bytes were read as one character each, so they are written as one byte each; other characters as UTF-8. */
const asReceived = (line: string) => Buffer.from(line, /[^\0-\xFF]/.test(line) ? 'utf8' : 'latin1')
