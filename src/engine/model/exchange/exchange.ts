import { isUtf8 } from 'node:buffer'
import { parseJson } from '../../../util/json.ts'
import type { TrustedClient, TrustedResponse } from '../../net/http/trusted-client.ts'
import type { Dialect, Prompt, Reply } from '../dialect/dialect.ts'
import { eventsOf } from './events.ts'
import { ModelFault } from './fault.ts'
import { faultInside, faultOfStatus } from './status-fault.ts'
import { createThinkingFilter, withoutThinking } from './thinking.ts'

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
/** More than a token has in any language; what is longer than this a token of the limit is no answer. */
const charactersPerToken = 10

/** Sends one request and reads its answer, without thinking. Fails with a ModelFault or the signal's reason. */
export async function exchange(server: ModelServer, { prompt, onText, signal }: Exchange): Promise<Reply> {
  const response = await sent(server, prompt, signal)
  try {
    const { status, headers, body } = response
    if (status < 200 || status >= 300) throw faultOfStatus({ status, headers, body: await faultText(body) })
    const isStream = headers['content-type']?.includes('text/event-stream') === true
    const reply = isStream ? await streamed(server, prompt, response, onText) : await whole(server, prompt, response)
    if (!isStream && reply.text !== '') onText?.(reply.text)
    return reply
  } catch (cause) {
    throw cause instanceof ModelFault || signal.aborted ? cause : new ModelFault('cut off', {}, cause)
  } finally {
    await response.end()
  }
}

async function sent({ client, dialect, url, key }: ModelServer, prompt: Prompt, signal: AbortSignal) {
  const headers = { accept: prompt.isStreamed ? 'text/event-stream' : 'application/json', ...dialect.headers(key) }
  try {
    return await client.post({ url, headers, body: JSON.stringify(dialect.body(prompt)), signal })
  } catch (cause) {
    throw signal.aborted ? cause : new ModelFault('unreachable', {}, cause)
  }
}

async function whole({ dialect }: ModelServer, prompt: Prompt, { headers, body }: TrustedResponse): Promise<Reply> {
  const text = decoded(await bytesOf(body), headers['content-type'])
  const answer = parseJson(text)
  const fault = faultInside(answer)
  if (fault) throw fault
  const reply = dialect.read(answer)
  if (!reply) throw new ModelFault('unreadable')
  return cut({ ...reply, text: withoutThinking(reply.text) }, prompt)
}

/** A model that does not stop is stopped here. */
function cut(reply: Reply, { maxOutputTokens }: Prompt): Reply {
  const limit = maxOutputTokens * charactersPerToken
  return reply.text.length <= limit ? reply : { ...reply, text: reply.text.slice(0, limit), end: 'cut' }
}

async function streamed(
  { dialect }: ModelServer,
  prompt: Prompt,
  { body }: TrustedResponse,
  onText: Exchange['onText'],
): Promise<Reply> {
  const reader = dialect.reader()
  const filter = createThinkingFilter()
  const limit = prompt.maxOutputTokens * charactersPerToken
  let text = ''
  for await (const data of eventsOf(capped(body))) {
    if (data === '[DONE]') break
    const event = parseJson(data)
    const fault = faultInside(event)
    if (fault) throw fault
    const chunk = filter.show(reader.take(event)).slice(0, limit - text.length)
    text += chunk
    if (chunk !== '') onText?.(chunk)
    if (text.length >= limit) return { model: undefined, usage: undefined, ...reader.end(), text, end: 'cut' }
  }
  const end = reader.end()
  if (!end) throw new ModelFault('cut off')
  const rest = filter.rest()
  if (rest !== '') onText?.(rest)
  return { ...end, text: `${text}${rest}`.trim() }
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

/** JSON is UTF-8; what is not is what its header says, or the charset that most programs fall back on. */
function decoded(bytes: Uint8Array, contentType = ''): string {
  const label = /charset="?([\w-]+)/i.exec(contentType)?.[1]
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
