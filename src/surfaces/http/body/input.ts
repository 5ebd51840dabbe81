import { fail } from '../../../kernel/error.ts'
import type { UploadRule } from '../../../kernel/operation.ts'
import { jsonExcess, type JsonAmount, longListAmount, isRecord } from '../../../util/json.ts'
import { base64Writer, type Bytes, FileBytes, releaseBuffer } from '../../../util/file-bytes.ts'
import type { TranslatedMatch } from '../../v1.ts'
import { randomUUID } from 'node:crypto'
import { ownTurn } from '../../../util/async.ts'

/** Larger bodies take noticeable time to parse and validate. */
const smallBytes = 16_384

/**
 * Bytes that are read and dropped beyond the limit. Most clients read the response only after they have sent the whole
 * body, and lose it if the connection is reset before.
 */
const drainedBytes = 16 * 2 ** 20

/** All bytes of a stream, or undefined if there are more than `maxBytes`; the announced length is not trusted. */
export async function readBytes(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!stream) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > maxBytes + drainedBytes) return undefined
    if (size <= maxBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  return size <= maxBytes ? joined(chunks, size) : undefined
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

/** The body of a request. Fails with PAYLOAD_TOO_LARGE. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const bytes = (await readBytes(hasBody ? request.body : null, maxBytes)) ?? fail('PAYLOAD_TOO_LARGE')
  if (bytes.byteLength > smallBytes) await ownTurn()
  return bytes
}

/**
 * The JSON of a body, in which the decoded file replaces its base64 text. The decoded bytes overwrite the body;
 * `expected` is their number if the text is valid base64.
 */
type WithFile = { value: Record<string, unknown>; file: FileBytes; expected: number }
type Span = { from: number; to: number }

const [quote, backslash] = [0x22, 0x5c]
/** Shorter strings are decoded the usual way, since copying them takes no noticeable time. */
const minBytes = 65_536
const pieceBytes = 65_536
/** Bytes checked at both ends. The schema checks 4096 characters; escapes such as `\n` take two bytes each. */
const sampleBytes = 2 * 4096

/**
 * Decodes a base64 file in `field` chunk by chunk into the bytes of the body, and parses the JSON around it, so body,
 * string and file are never in memory together. Undefined, with the bytes unchanged, if the field contains no long
 * base64. Fails with a SyntaxError or TypeError if the text is not JSON.
 */
export function decodedInPlace(bytes: Bytes, field: string): WithFile | undefined {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const span = encodedIn(body)
  if (!span || !seemsEncoded(body.subarray(span.from, span.to))) return undefined
  const mark = randomUUID()
  const value = around(body, span, mark)
  if (!isRecord(value)) return undefined
  const file = value[field]
  // The decoded text may belong to another field, or a later field of the same name replaces this one.
  if (!isRecord(file) || file['base64'] !== mark) return undefined
  const { length, expected } = decodeInto(body, span)
  const content = new FileBytes(bytes.subarray(0, length))
  return { value: { ...value, [field]: { ...file, base64: content } }, file: content, expected }
}

/** The content of the first string named `base64`, if it is long. */
function encodedIn(body: Buffer): Span | undefined {
  const name = '"base64"'
  for (let at = body.indexOf(name); at !== -1; at = body.indexOf(name, at + 1)) {
    const after = body.toString('latin1', at + name.length, at + name.length + 64)
    const opening = /^\s*:\s*"/.exec(after)?.[0].length
    if (opening === undefined) continue
    const from = at + name.length + opening
    const to = closingQuote(body, from)
    if (to - from >= minBytes) return { from, to }
  }
  return undefined
}

/** -1 if the string does not end. */
function closingQuote(body: Buffer, from: number): number {
  let at = body.indexOf(quote, from)
  while (at !== -1 && isEscaped(body, from, at)) at = body.indexOf(quote, at + 1)
  return at
}

function isEscaped(body: Buffer, from: number, at: number): boolean {
  let before = at
  while (before > from && body[before - 1] === backslash) before -= 1
  return (at - before) % 2 === 1
}

/** Checks both ends, as the schema does. Other text is left to the schema, which refuses it. */
function seemsEncoded(text: Buffer): boolean {
  const start = text.toString('latin1', 0, sampleBytes)
  const end = text.toString('latin1', text.length - sampleBytes)
  // Both ends may be cut within an escape.
  const isStart = /[\w+/-]/.test(start) && /^(?:[\w+/ -]|\\[nrt/])*\\?$/.test(start)
  return isStart && /^(?:[\w+/= -]|\\[nrt/])*$/.test(end)
}

/** Parses the JSON with a mark in place of the string; undefined if it is invalid. */
function around(body: Buffer, { from, to }: Span, mark: string): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      Buffer.concat([body.subarray(0, from), Buffer.from(mark), body.subarray(to)]),
    )
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function decodeInto(body: Buffer, { from, to }: Span): { length: number; expected: number } {
  const writer = base64Writer(body)
  let [at, characters, end] = [from, 0, '']
  while (at < to) {
    const next = pieceEnd(body, at, to)
    const text = textOf(body.subarray(at, next))
    writer.write(text)
    characters += text.length
    end = (end + text).slice(-2)
    at = next
  }
  return { length: writer.end(), expected: expectedBytes(characters, end) }
}

/** Decoded size by the length of the base64 text; white space in the text makes the actual size smaller. */
function expectedBytes(length: number, end: string): number {
  const padding = /={0,2}$/.exec(end.slice(-2))?.[0].length ?? 0
  return Math.floor(((length - padding) * 3) / 4)
}

const longestEscape = '\\u0000'.length

/** End of a chunk of at most `pieceBytes` that cuts neither an escape nor a character. */
function pieceEnd(body: Buffer, from: number, to: number): number {
  for (let end = Math.min(from + pieceBytes, to); end > from && end < to; end -= 1) {
    const isWithin = (body[end]! & 0xc0) === 0x80
    if (!isWithin && !body.subarray(Math.max(from, end - longestEscape), end).includes(backslash)) return end
  }
  return to
}

/** Decodes a part of a JSON string. */
function textOf(piece: Buffer): string {
  const plain = piece.toString('latin1')
  if (/^[\w+/= -]*$/.test(plain)) return plain
  return JSON.parse(`"${new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(piece)}"`) as string
}

/**
 * The input from the JSON of a body, the query and the path. The bytes are released. Fails with BAD_REQUEST,
 * BAD_REQUEST_INVALID_JSON or PAYLOAD_TOO_LARGE.
 */
export function inputFrom(match: TranslatedMatch, bytes: Bytes): Record<string, unknown> {
  const { upload, maxBodyBytes } = match.operation
  if (upload) return withAddress(match, withOptions(objectWithFile(bytes, upload)))
  refuseExcess(bytes, maxBodyBytes === undefined ? undefined : longListAmount)
  const body = objectOf(bytes)
  releaseBuffer(bytes)
  return withAddress(match, body)
}

/** Merges query, body and path slots; of equal names, the later takes precedence. */
export const withAddress = (match: TranslatedMatch, body: object): Record<string, unknown> =>
  match.input({ ...match.query, ...body, ...match.slots })

/** A missing body is an empty object. */
function objectOf(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.byteLength === 0) return {}
  const value = parseJson(bytes)
  if (value === undefined) fail('BAD_REQUEST_INVALID_JSON')
  if (!isRecord(value)) fail('BAD_REQUEST', { message: 'The body is JSON, but not an object.' })
  return value
}

/** Fails with BAD_REQUEST for JSON that would take long to parse. */
function refuseExcess(bytes: Uint8Array, most?: JsonAmount): void {
  const excess = jsonExcess(bytes, most)
  if (excess !== undefined) fail('BAD_REQUEST', { message: `The JSON of the body is too much: ${excess}.` })
}

/** Undefined for bytes that are not JSON in UTF-8. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function objectWithFile(bytes: Bytes, rule: UploadRule): Record<string, unknown> {
  refuseExcess(bytes)
  const decoded = fileIn(bytes, rule)
  if (decoded && decoded.expected > rule.maxBytes) fileTooLarge(rule)
  if (decoded) return decoded.value
  const body = objectOf(bytes)
  releaseBuffer(bytes)
  const file = body[rule.field]
  const base64 = isRecord(file) ? file['base64'] : undefined
  if (typeof base64 === 'string' && Buffer.byteLength(base64, 'base64') > rule.maxBytes) fileTooLarge(rule)
  return body
}

function fileIn(bytes: Bytes, { field }: UploadRule): WithFile | undefined {
  try {
    return decodedInPlace(bytes, field)
  } catch {
    return fail('BAD_REQUEST_INVALID_JSON')
  }
}

/** Clients may send the other fields of an upload in an `options` object, as in a multipart body. */
function withOptions(input: Record<string, unknown>): object {
  const { options, ...rest } = input
  return isRecord(options) ? { ...options, ...rest } : input
}

export const fileTooLarge = ({ maxBytes }: UploadRule): never =>
  fail('PAYLOAD_TOO_LARGE', {
    message: `A file may have at most ${maxBytes} bytes.`,
    hint: 'Send a smaller file, or scrape it by its URL.',
  })

/** A part of a form (RFC 7578). It is a file if `filename` is set. */
type Part = { name: string; filename: string | undefined; contentType: string; bytes: Uint8Array }

const lineEnd = Buffer.from('\r\n')
const headersEnd = Buffer.from('\r\n\r\n')
const [dash, maxHeaderBytes] = [0x2d, 16_384]
/** Far above the two parts that a call needs. */
const maxParts = 100

/**
 * The parts of a multipart body as views of its bytes, so a file of 50 MB is not copied. Undefined if the body has no
 * boundary, ends early, or is not a form. Stops after `maxParts` + 1 parts.
 */
export function partsOf(bytes: Uint8Array, contentType: string): Part[] | undefined {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return undefined
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mark = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const isFirst = body.subarray(0, mark.length - 2).equals(mark.subarray(2))
  let at = isFirst ? mark.length - 2 : endOf(body, mark, 0)
  const parts: Part[] = []
  while (at !== undefined) {
    if (body[at] === dash && body[at + 1] === dash) return parts
    const start = headersFrom(body, at)
    const end = start && body.indexOf(mark, start.content - lineEnd.length)
    if (!start || end === undefined || end === -1) return undefined
    const part = partOf(start.headers, body.subarray(start.content, Math.max(start.content, end)))
    if (part) parts.push(part)
    if (parts.length > maxParts) return parts
    at = end + mark.length
  }
  return undefined
}

/** RFC 2046, 5.1.1: at most 70 characters, quoted if it contains other characters than those of a token. */
function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  return quoted ?? plain
}

function endOf(body: Buffer, mark: Buffer, from: number): number | undefined {
  const at = body.indexOf(mark, from)
  return at === -1 ? undefined : at + mark.length
}

/** Headers of the part whose boundary ends at `at`; the rest of the boundary's line must be blank. */
function headersFrom(body: Buffer, at: number): { headers: string; content: number } | undefined {
  const end = body.subarray(at, at + maxHeaderBytes).indexOf(headersEnd)
  if (end === -1) return undefined
  const headers = body.subarray(at, at + end).toString('utf8')
  return /^[ \t]*(?:\r\n|$)/.test(headers) ? { headers, content: at + end + headersEnd.length } : undefined
}

/** Undefined for a part that is not a form field. */
function partOf(headers: string, bytes: Uint8Array): Part | undefined {
  const disposition = headerOf(headers, 'content-disposition')
  const name = /^form-data\b/i.test(disposition) ? parameterOf(disposition, 'name') : undefined
  if (name === undefined) return undefined
  const filename = extendedOf(disposition) ?? parameterOf(disposition, 'filename')
  return { name, filename, contentType: headerOf(headers, 'content-type'), bytes }
}

const headerOf = (headers: string, name: string): string =>
  new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(headers)?.[1]?.trim() ?? ''

/** Browsers write a quote as %22 and line ends as %0D and %0A; other programs escape quotes with a backslash. */
function parameterOf(disposition: string, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`;[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(disposition) ?? []
  return (quoted ?? plain)?.replace(/\\(["\\])/g, '$1').replace(/%(22|0d|0a)/gi, (hex) => decodeURIComponent(hex))
}

/** `filename*=UTF-8''…` (RFC 5987), which some programs write for non-ASCII names. */
function extendedOf(disposition: string): string | undefined {
  const [, encoded] = /;[ \t]*filename\*=utf-8'[^']*'([^\s;]+)/i.exec(disposition) ?? []
  try {
    return encoded && decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/**
 * The file of a multipart body, and the JSON of its part `options`. The bytes are released. Fails with BAD_REQUEST or
 * PAYLOAD_TOO_LARGE.
 */
export function uploadIn(bytes: Bytes, headers: Headers, rule: UploadRule): object {
  const { field } = rule
  const parts = partsOf(bytes, headers.get('content-type') ?? '')
  if (!parts)
    return refuse('The multipart body cannot be read: its boundary is not the one in the header, or it ends early.')
  if (parts.length > maxParts) return refuse(`The multipart body has more than ${maxParts} parts.`)
  const [file, ...others] = parts.filter(({ name, filename }) => name === field && filename !== undefined)
  if (!file) return refuse(`The body has no file part named ${field}.`, field)
  if (others.length > 0) return refuse(`The body has ${others.length + 1} files, and a call takes one.`, field)
  if (file.bytes.byteLength > rule.maxBytes) fileTooLarge(rule)
  const options = optionsOf(parts.find(({ name }) => name === 'options'))
  const { byteOffset, byteLength } = file.bytes
  const base64 = new FileBytes(new Uint8Array(bytes.buffer, byteOffset, byteLength))
  const contentType = file.contentType === '' ? {} : { contentType: file.contentType }
  return { ...options, [field]: { filename: file.filename, ...contentType, base64 } }
}

function optionsOf(part: Part | undefined): object {
  if (part === undefined) return {}
  const bytes = part.filename === undefined ? part.bytes : new Uint8Array()
  refuseExcess(bytes)
  const value = parseJson(bytes)
  return isRecord(value) ? value : refuse('The part options is not a JSON object.', 'options')
}

/** `part` is the name of the faulty part, if one is at fault. */
const refuse = (message: string, part?: string): never =>
  fail('BAD_REQUEST', {
    message,
    hint: 'Send one part with the file, and a part named options with the other fields as JSON.',
    ...(part !== undefined && { details: [{ path: [part], message, code: 'custom' }] }),
  })
