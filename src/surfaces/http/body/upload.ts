import { fail } from '../../../kernel/error.ts'
import type { UploadRule } from '../../../kernel/operation.ts'
import { isRecord } from '../../../util/json.ts'
import { type Bytes, bytesOf, FileBytes, letGo } from '../../../util/bytes/file-bytes.ts'
import { fileTooLarge, parseJson, refuseExcess } from './input.ts'
import { maxParts, type Part, partsOf } from './multipart.ts'

export const isMultipart = ({ headers }: Request): boolean =>
  /^multipart\/form-data\b/i.test(headers.get('content-type') ?? '')

/** The file in a multipart body, and the JSON of its part `options`. The bytes are given up. Fails with BAD_REQUEST or PAYLOAD_TOO_LARGE. */
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

type SentFile = { filename?: string; contentType?: string; base64?: FileBytes | string }

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

/** The multipart body that carries such an input; undefined where it holds no file. The inverse of what is read above. */
export function uploadBody(body: Record<string, unknown>, { field }: UploadRule): FormData | undefined {
  const { [field]: file, ...options } = body
  if (!isRecord(file)) return undefined
  const { filename, contentType, base64 } = file as SentFile
  const bytes = bytesOf(base64 ?? '')
  const blob = new Blob([bytes], { type: contentType ?? '' })
  // The blob has a copy.
  letGo(bytes)
  const form = new FormData()
  form.append('options', JSON.stringify(options))
  form.append(field, blob, filename ?? 'file')
  return form
}
