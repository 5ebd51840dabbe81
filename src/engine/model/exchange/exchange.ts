import { isUtf8 } from 'node:buffer'
import { parseJson, isRecord, parseJsonObject } from '../../../util/json.ts'
import type { TrustedClient, TrustedResponse } from '../../net/http/trusted-client.ts'
import { type Dialect, type Prompt, type Reply, eventsOf } from '../dialect/dialect.ts'
import { ModelFault, type FaultKind } from './fault.ts'

type Answer = { status: number; headers: Readonly<Record<string, string | undefined>>; body: string }

const tooLong =
  /context[ _](?:length|window|size)|maximum context|(?:prompt|input) is too long|too many (?:input )?tokens/i
const noCredit = /insufficient_quota|insufficient_credits|credit balance|billing/i
/** Servers may fail with 500 if they cannot compile a schema, gateways with 404 if no provider supports schemas. */
const aboutSchema = /schema|grammar|response_format|support the requested param/i

/** Returns the fault for an unsuccessful status. */
function faultOfStatus({ status, headers, body }: Answer): ModelFault {
  const { message, code } = errorIn(body)
  const facts = { status, code, message }
  const words = `${code ?? ''} ${message}`
  const kind = kindByMessage(status, words) ?? kindByStatus[status] ?? kindByClass(status)
  return new ModelFault(kind, kind === 'busy' ? { ...facts, pauseMs: pauseIn(headers) } : facts)
}

/** Detects faults that some servers report only in the message text. */
function kindByMessage(status: number, words: string): FaultKind | undefined {
  if (status < 500 && noCredit.test(words)) return 'no credit'
  if (status < 500 && tooLong.test(words)) return 'input too long'
  return (status === 500 || status === 404) && aboutSchema.test(words) ? 'refused' : undefined
}

const kindByStatus: Readonly<Record<number, FaultKind>> = {
  401: 'bad key',
  402: 'no credit',
  403: 'bad key',
  404: 'not found',
  408: 'busy',
  413: 'input too long',
  429: 'busy',
  501: 'refused',
  503: 'busy',
  529: 'busy',
}

function kindByClass(status: number): FaultKind {
  if (status >= 500) return 'broken'
  return status >= 400 ? 'refused' : 'redirect'
}

/** Returns the fault in an answer with status 200 that contains an error, as from gateways and streams. */
function faultInside(answer: unknown): ModelFault | undefined {
  if (!isRecord(answer) || !isRecord(answer['error'])) return undefined
  const { code, type } = answer['error']
  const isOverloaded = type === 'overloaded_error' || type === 'rate_limit_error'
  const status = typeof code === 'number' && code >= 400 && code < 600 ? code : isOverloaded ? 529 : 500
  return faultOfStatus({ status, headers: {}, body: JSON.stringify(answer) })
}

/** Maximum characters of an error message: enough for the message, but not for a whole quoted request. */
const maxMessage = 500

function errorIn(body: string): { message: string; code: string | undefined } {
  const answer = parseJsonObject(body)
  const error = answer?.['error'] ?? answer
  const { message, detail, code, type } = isRecord(error) ? error : {}
  const text = [message, detail, error].find((each) => typeof each === 'string') ?? body
  return { message: String(text).slice(0, maxMessage), code: wordOf(code) ?? wordOf(type) }
}

/** Accepts only an error code of the provider, never page text. */
const wordOf = (code: unknown): string | undefined =>
  typeof code === 'string' && /^[a-z][a-z0-9_.-]{1,59}$/i.test(code) ? code : undefined

/** Parses Retry-After to ms: seconds or a date; `retry-after-ms` is more precise. */
function pauseIn(headers: Answer['headers']): number | undefined {
  const exact = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (exact >= 0) return exact
  const retryAfter = headers['retry-after']
  if (retryAfter === undefined) return undefined
  const seconds = Number(retryAfter)
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const opening = /^\s*(?:<(?:think|thinking|thought|reasoning)>|\[THINK\])/
const closing = /<\/(?:think|thinking|thought|reasoning)>|\[\/THINK\]/
const aloneOnLine = /^[ \t]*<\/think(?:ing)?>[ \t]*$/m
/** Maximum length of an opening tag with the white space before it, and of a closing tag. */
const maxOpeningTag = 64
const maxClosingTag = 16

/** Removes the model's thinking before the answer. Later tags are part of the answer. */
function withoutThinking(text: string): string {
  if (opening.test(text)) {
    const close = closing.exec(text)
    return close ? text.slice(close.index + close[0].length).trim() : ''
  }
  // With templates that start the thinking themselves, the answer contains only its end tag, on a separate line.
  const orphan = /[{[`]/.test(text.trimStart().charAt(0)) ? null : aloneOnLine.exec(text)
  return (orphan ? text.slice(orphan.index + orphan[0].length) : text).trim()
}

/** Removes thinking from streamed text. */
function createThinkingFilter() {
  let buffered = ''
  let state: 'start' | 'thinking' | 'gap' | 'answer' = 'start'
  const settle = (): typeof state => {
    if (state === 'start' && opening.test(buffered)) state = 'thinking'
    else if (state === 'start' && !mayBecomeOpening(buffered)) state = 'gap'
    const close = state === 'thinking' ? closing.exec(buffered) : null
    if (close) {
      buffered = buffered.slice(close.index + close[0].length)
      state = 'gap'
    }
    if (state === 'thinking') buffered = buffered.slice(-maxClosingTag)
    if (state === 'gap' && buffered.trim() !== '') state = 'answer'
    return state
  }
  return {
    /** Returns the part of a chunk that can be shown. */
    show(chunk: string): string {
      if (state === 'answer') return chunk
      buffered += chunk
      return settle() === 'answer' ? buffered.trimStart() : ''
    },
    /** Returns withheld text at the end of the stream. */
    rest: () => (state === 'start' ? buffered.trim() : ''),
  }
}

const mayBecomeOpening = (text: string): boolean =>
  text.length < maxOpeningTag && /^\s*(?:<[a-z]*|\[[A-Z]*)?$/.test(text)

export type ModelServer = {
  client: TrustedClient
  dialect: Dialect
  url: string
  key: string | undefined
}
export type Exchange = {
  prompt: Prompt
  onText?: ((chunk: string) => void) | undefined
  signal: AbortSignal
}

const maxBytes = 8 * 2 ** 20
const maxFaultBytes = 65_536
/** Upper bound on characters per token in any language; a reply longer than this times the token limit is cut. */
const charactersPerToken = 10

/** Sends one request and reads its answer, without thinking. Fails with a ModelFault or the signal's reason. */
export async function exchange(server: ModelServer, { prompt, onText, signal }: Exchange): Promise<Reply> {
  const response = await sendRequest(server, prompt, signal)
  try {
    const { status, headers, body } = response
    if (status < 200 || status >= 300) throw faultOfStatus({ status, headers, body: await faultText(body) })
    const isStream = headers['content-type']?.includes('text/event-stream') === true
    const reply = isStream
      ? await readStream(server, prompt, response, onText)
      : await readWhole(server, prompt, response)
    if (!isStream && reply.text !== '') onText?.(reply.text)
    return reply
  } catch (cause) {
    throw cause instanceof ModelFault || signal.aborted ? cause : new ModelFault('cut off', {}, cause)
  } finally {
    await response.end()
  }
}

async function sendRequest({ client, dialect, url, key }: ModelServer, prompt: Prompt, signal: AbortSignal) {
  const headers = { accept: prompt.isStreamed ? 'text/event-stream' : 'application/json', ...dialect.headers(key) }
  try {
    return await client.post({ url, headers, body: JSON.stringify(dialect.body(prompt)), signal })
  } catch (cause) {
    throw signal.aborted ? cause : new ModelFault('unreachable', {}, cause)
  }
}

/** Collects a reply from a whole answer, or from the events of a stream. */
function createReader({ partIn }: Dialect) {
  const reply: Partial<Omit<Reply, 'text'>> & Pick<Reply, 'model' | 'usage'> = { model: undefined, usage: undefined }
  return {
    reply,
    /** Returns the text of an answer or event; undefined if it does not have the expected shape. */
    take(message: unknown): string | undefined {
      if (!isRecord(message)) return undefined
      const { text, end, model, usage } = partIn(message)
      const name = model ?? message['model']
      if (typeof name === 'string' && name !== '') reply.model = name
      if (end) reply.end = end
      const { inputTokens = 0, outputTokens = 0 } = reply.usage ?? {}
      if (usage)
        reply.usage = {
          inputTokens: Math.max(inputTokens, usage.inputTokens),
          outputTokens: Math.max(outputTokens, usage.outputTokens),
        }
      return text
    },
  }
}

async function readWhole({ dialect }: ModelServer, prompt: Prompt, { headers, body }: TrustedResponse): Promise<Reply> {
  const text = decoded(await bytesOf(body), headers['content-type'])
  const answer = parseJson(text)
  const fault = faultInside(answer)
  if (fault) throw fault
  const { take, reply } = createReader(dialect)
  const written = take(answer)
  if (written === undefined) throw new ModelFault('unreadable')
  return cut({ end: 'complete', ...reply, text: withoutThinking(written) }, prompt)
}

/** Cuts the reply of a model that does not stop. */
function cut(reply: Reply, { maxOutputTokens }: Prompt): Reply {
  const limit = maxOutputTokens * charactersPerToken
  return reply.text.length <= limit ? reply : { ...reply, text: reply.text.slice(0, limit), end: 'cut' }
}

async function readStream(
  { dialect }: ModelServer,
  prompt: Prompt,
  { body }: TrustedResponse,
  onText: Exchange['onText'],
): Promise<Reply> {
  const { take, reply } = createReader(dialect)
  const filter = createThinkingFilter()
  const limit = prompt.maxOutputTokens * charactersPerToken
  let text = ''
  for await (const data of eventsOf(capped(body))) {
    if (data === '[DONE]') break
    const event = parseJson(data)
    const fault = faultInside(event)
    if (fault) throw fault
    const chunk = filter.show(take(event) ?? '').slice(0, limit - text.length)
    text += chunk
    if (chunk !== '') onText?.(chunk)
    if (text.length >= limit) return { ...reply, text, end: 'cut' }
  }
  const { end } = reply
  if (!end) throw new ModelFault('cut off')
  const rest = filter.rest()
  if (rest !== '') onText?.(rest)
  return { ...reply, end, text: `${text}${rest}`.trim() }
}

async function* capped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new ModelFault('too large')
    yield chunk
  }
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of capped(body)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function faultText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxFaultBytes) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** JSON is UTF-8; other bytes are decoded with the charset of the header, or with the usual fallback charset. */
function decoded(bytes: Uint8Array, contentType = ''): string {
  const label = /charset="?([\w-]+)/i.exec(contentType)?.[1]
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
