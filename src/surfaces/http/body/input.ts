import { fail } from '../../../kernel/error.ts'
import type { UploadRule } from '../../../kernel/operation.ts'
import { jsonExcess, type JsonAmount, longListAmount } from '../../../util/json/amount.ts'
import { isRecord } from '../../../util/json.ts'
import { type Bytes, letGo } from '../../../util/bytes/file-bytes.ts'
import type { TranslatedMatch } from '../../v1/v1.ts'
import { decodedInPlace, type WithFile } from './encoded-file.ts'

/**
 * The input in the JSON of a body, with what the query and the path say. The bytes are given up. Fails with BAD_REQUEST,
 * BAD_REQUEST_INVALID_JSON or PAYLOAD_TOO_LARGE.
 */
export function inputFrom(match: TranslatedMatch, bytes: Bytes): Record<string, unknown> {
  const { upload, maxBodyBytes } = match.operation
  if (upload) return withAddress(match, withOptions(objectWithFile(bytes, upload)))
  refuseExcess(bytes, maxBodyBytes === undefined ? undefined : longListAmount)
  const body = objectOf(bytes)
  letGo(bytes)
  return withAddress(match, body)
}

/** The query, then the body, then the slots: a later one wins. */
export const withAddress = (match: TranslatedMatch, body: object): Record<string, unknown> =>
  match.input({ ...match.query, ...body, ...match.slots })

/** No body is an empty object. */
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
  letGo(bytes)
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
