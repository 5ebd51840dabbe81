import type { Ctx } from '../kernel/ctx.ts'
import { fail, fromBody } from '../kernel/error.ts'
import type { Invoke } from '../kernel/invoke.ts'
import type { AnyOperation, UploadRule } from '../kernel/operation.ts'
import { toRequest } from '../kernel/route.ts'
import { bytesOf, type FileBytes, releaseBuffer } from '../util/file-bytes.ts'
import { isRecord } from '../util/json.ts'
import { readBytes, parseJson } from './http/body/input.ts'

export type RemoteOptions = {
  /** Address of the service, with or without /v2. */
  baseUrl: string
  apiKey?: string | undefined
  send?: (request: Request) => Promise<Response>
  /** Headers that pass the current trace to the service. */
  traceHeaders?: () => Readonly<Record<string, string>>
  /** Time limit of one call. */
  timeoutMs?: number
  maxAnswerBytes?: number
}

type Remote = { root: string; headers: Record<string, string> } & Required<
  Pick<RemoteOptions, 'traceHeaders' | 'send' | 'timeoutMs' | 'maxAnswerBytes'>
>
type Answer = { status: number; body: unknown }

/** Longer than the longest scrape (300 s), so a slow call ends with the error of the remote service. */
const defaultTimeoutMs = 330_000
const defaultMaxBytes = 200_000_000

/**
 * Forwards every operation to a remote /v2 service. Fails with the error of the service, or with REMOTE_UNAVAILABLE if
 * it cannot be reached or its response is invalid; an abort is rethrown with its own reason.
 */
export function createRemoteInvoke(options: RemoteOptions): Invoke {
  const remote = remoteOf(options)
  return async (operation, input, ctx) => {
    const { status, body } = await exchange(remote, operation, input, ctx)
    if (status >= 300 && status < 400)
      fail('REMOTE_UNAVAILABLE', {
        message: `The remote service answered with a redirect (status ${status}), which is not followed.`,
        hint: 'Set GOSSAMER_REMOTE_URL to the URL it redirects to.',
      })
    if (status >= 400 && body !== undefined) throw fromBody(status, body)
    if (!isRecord(body))
      fail('REMOTE_UNAVAILABLE', { message: `The remote service answered with status ${status}, but not with JSON.` })
    if (body['success'] === false) throw fromBody(status, body)
    const { success: _, ...output } = body
    return output
  }
}

const remoteOf = ({ baseUrl, apiKey, ...options }: RemoteOptions): Remote => ({
  traceHeaders: () => ({}),
  send: (request) => fetch(request),
  timeoutMs: defaultTimeoutMs,
  maxAnswerBytes: defaultMaxBytes,
  ...options,
  root: new URL(baseUrl).href.replace(/\/+$/, '').replace(/\/v2$/, ''),
  headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
})

type Sender = Pick<Ctx, 'signal' | 'idempotencyKey'>

async function exchange(remote: Remote, operation: AnyOperation, input: object, ctx: Sender): Promise<Answer> {
  const { signal } = ctx
  const late = AbortSignal.timeout(remote.timeoutMs)
  const request = requestOf(remote, operation, input, { ...ctx, signal: AbortSignal.any([signal, late]) })
  try {
    const response = await remote.send(request)
    const bytes = await readBytes(response.body, remote.maxAnswerBytes)
    if (bytes) return { status: response.status, body: parseJson(bytes) }
  } catch (cause) {
    signal.throwIfAborted()
    const message = `The remote service did not answer within ${remote.timeoutMs / 1000} s.`
    fail('REMOTE_UNAVAILABLE', late.aborted ? { message, cause } : { cause })
  }
  return fail('REMOTE_UNAVAILABLE', { message: `The answer is larger than ${remote.maxAnswerBytes} bytes.` })
}

/** Does not follow redirects: they could send the key to another server. */
function requestOf(remote: Remote, operation: AnyOperation, input: object, ctx: Sender): Request {
  const { signal, idempotencyKey } = ctx
  const { method, path, body } = toRequest(operation, input)
  const form = body && operation.upload && uploadBody(body, operation.upload)
  const isJson = body && !form
  const headers = {
    accept: 'application/json',
    ...(isJson && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'x-idempotency-key': idempotencyKey }),
    ...remote.traceHeaders(),
    ...remote.headers,
  }
  const sent = body && { body: form ?? JSON.stringify(body) }
  return new Request(remote.root + path, { method, headers, signal, redirect: 'manual', ...sent })
}

type SentFile = { filename?: string; contentType?: string; base64?: FileBytes | string }

/** The input of an upload as a multipart body; undefined if it contains no file. */
function uploadBody(body: Record<string, unknown>, { field }: UploadRule): FormData | undefined {
  const { [field]: file, ...options } = body
  if (!isRecord(file)) return undefined
  const { filename, contentType, base64 } = file as SentFile
  const bytes = bytesOf(base64 ?? '')
  const blob = new Blob([bytes], { type: contentType ?? '' })
  // The blob has copied the bytes.
  releaseBuffer(bytes)
  const form = new FormData()
  form.append('options', JSON.stringify(options))
  form.append(field, blob, filename ?? 'file')
  return form
}
