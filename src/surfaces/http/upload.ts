import { fail } from '../../kernel/error.ts'
import type { UploadRule } from '../../kernel/operation.ts'
import { isRecord } from '../../util/json.ts'
import { parseJson, readBytes, readObject, refuseExcess } from './body.ts'

/**
 * The input of a call that takes a file: from a multipart body, or from JSON that holds the file in base64. Either may
 * have the other fields in `options`.
 */
export async function readUploadOrObject(request: Request, rule: UploadRule, maxBytes: number): Promise<object> {
  const isMultipart = /^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')
  if (!isMultipart) return readEncoded(request, rule, maxBytes)
  const bytes = await readBytes(request.body, rule.maxBytes + maxBytes)
  return readUpload(bytes ?? tooLarge(rule), request.headers, rule)
}

async function readEncoded(request: Request, rule: UploadRule, maxBytes: number): Promise<object> {
  const input = (await readObject(request, Math.ceil((rule.maxBytes * 4) / 3) + maxBytes)) as Record<string, unknown>
  const file = input[rule.field]
  const base64 = isRecord(file) ? file['base64'] : undefined
  if (typeof base64 === 'string' && Buffer.byteLength(base64, 'base64') > rule.maxBytes) tooLarge(rule)
  const { options, ...rest } = input
  return isRecord(options) ? { ...options, ...rest } : input
}

const tooLarge = ({ maxBytes }: UploadRule): never =>
  fail('PAYLOAD_TOO_LARGE', {
    message: `A file may have at most ${maxBytes} bytes.`,
    hint: 'Send a smaller file, or scrape it by its URL.',
  })

/** The file, and the JSON of the part `options`. Fails with BAD_REQUEST. */
async function readUpload(bytes: Uint8Array<ArrayBuffer>, headers: Headers, rule: UploadRule): Promise<object> {
  const { field, maxBytes } = rule
  const form = await formOf(bytes, headers)
  const file = form.get(field)
  if (!(file instanceof Blob)) return refuse(`The body has no file part named ${field}.`)
  if (file.size > maxBytes) tooLarge(rule)
  const base64 = Buffer.from(await file.arrayBuffer()).toString('base64')
  const contentType = file.type === '' ? {} : { contentType: file.type }
  return { ...optionsOf(form.get('options')), [field]: { filename: file.name, ...contentType, base64 } }
}

async function formOf(bytes: Uint8Array<ArrayBuffer>, headers: Headers): Promise<FormData> {
  const type = headers.get('content-type') ?? ''
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    return fail('BAD_REQUEST', { message: 'The multipart body cannot be read.', cause })
  }
}

function optionsOf(part: ReturnType<FormData['get']>): object {
  if (part === null) return {}
  const bytes = Buffer.from(typeof part === 'string' ? part : '')
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
  const { filename, contentType, base64 } = file as { filename?: string; contentType?: string; base64?: string }
  const blob = new Blob([Buffer.from(base64 ?? '', 'base64')], { type: contentType ?? '' })
  const form = new FormData()
  form.append('options', JSON.stringify(options))
  form.append(field, blob, filename ?? 'file')
  return form
}
