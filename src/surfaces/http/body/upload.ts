import { fail } from '../../../kernel/error.ts'
import type { UploadRule } from '../../../kernel/operation.ts'
import { isRecord } from '../../../util/json.ts'
import { type Bytes, FileBytes } from '../../../util/file-bytes.ts'
import { fileTooLarge, parseJson, refuseExcess } from './input.ts'

/** A part of a form (RFC 7578). It is a file if `filename` is set. */
type Part = { name: string; filename: string | undefined; contentType: string; bytes: Uint8Array }

const lineEnd = Buffer.from('\r\n')
const headersEnd = Buffer.from('\r\n\r\n')
const [dash, maxHeaderBytes] = [0x2d, 16_384]
/** A call needs two. */
const maxParts = 100

/**
 * The parts of a multipart body as views of its bytes: a file of 50 MB is not copied. Undefined if the body has no
 * boundary, ends early, or is not a form. Reads at most one part more than `maxParts`.
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

/** Headers start with the rest of the boundary's line, which is blank. */
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
    return refuse('The multipart body cannot be read: it has another boundary than its header says, or breaks off.')
  if (parts.length > maxParts) return refuse(`The multipart body has more than ${maxParts} parts.`)
  const [file, ...others] = parts.filter(({ name, filename }) => name === field && filename !== undefined)
  if (!file) return refuse(`The body has no file part named ${field}.`)
  if (others.length > 0) return refuse(`The body has ${others.length + 1} files, and a call takes one.`)
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
  return isRecord(value) ? value : refuse('The part options is not a JSON object.')
}

const refuse = (message: string): never =>
  fail('BAD_REQUEST', {
    message,
    hint: 'Send one part with the file, and a part named options with the other fields as JSON.',
  })
