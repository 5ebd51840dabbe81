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

/** A JSON body and the file decoded in place of its text; the body's bytes are released. */
type WithFile = { value: Record<string, unknown>; file: FileBytes; expected: number }
type Span = { from: number; to: number }

const [quote, backslash] = [0x22, 0x5c]
/** Copying a shorter string takes no noticeable time. */
const minBytes = 65_536
const pieceBytes = 65_536
/** The schema checks as many characters at both ends; each takes two bytes if written as `\n` or `\/`. */
const sampleBytes = 2 * 4096

/**
 * Decodes a base64 file in `field` chunk by chunk into the bytes of the body, and parses the JSON around it:
 * otherwise text, string and bytes would be in memory together. Undefined, with the bytes unchanged, if there is no
 * long base64 in that place. Fails with a SyntaxError or TypeError if the text is not JSON.
 */
export function decodedInPlace(bytes: Bytes, field: string): WithFile | undefined {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const span = encodedIn(body)
  if (!span || !seemsEncoded(body.subarray(span.from, span.to))) return undefined
  const mark = randomUUID()
  const value = around(body, span, mark)
  if (!isRecord(value)) return undefined
  const file = value[field]
  // The text may belong to another field, or a second field of that name follows.
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

/** Checks both ends, as the schema does; the schema refuses text that is not base64. */
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

/** The size that Buffer allocates for base64 text of this length; decoding may yield fewer bytes. */
function expectedBytes(length: number, end: string): number {
  const padding = /={0,2}$/.exec(end.slice(-2))?.[0].length ?? 0
  return Math.floor(((length - padding) * 3) / 4)
}

const longestEscape = '\\u0000'.length

/** A position at which a chunk may end without cutting an escape or a character. */
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

/** Query, body, path slots: later values take precedence. */
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
export function refuseExcess(bytes: Uint8Array, most?: JsonAmount): void {
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
  const found = fileIn(bytes, rule)
  if (found && found.expected > rule.maxBytes) fileTooLarge(rule)
  if (found) return found.value
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

/** The fields beside the file may be in `options`. */
function withOptions(input: Record<string, unknown>): object {
  const { options, ...rest } = input
  return isRecord(options) ? { ...options, ...rest } : input
}

export const fileTooLarge = ({ maxBytes }: UploadRule): never =>
  fail('PAYLOAD_TOO_LARGE', {
    message: `A file may have at most ${maxBytes} bytes.`,
    hint: 'Send a smaller file, or scrape it by its URL.',
  })
