import http from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { closeNow, listen } from './listen.ts'
import { streamOf, wholeOf } from './model-dialects.ts'

export type Dialect = 'openai' | 'anthropic'

/** One request, independent of the dialect. */
export type ModelCall = {
  dialect: Dialect
  model: string
  system: string
  messages: { role: 'user' | 'assistant'; text: string }[]
  /** The last message. */
  prompt: string
  /** JSON mode of the request; undefined if JSON is requested only in the text, or not at all. */
  jsonMode: 'json_schema' | 'json_object' | 'tool' | undefined
  schema: Record<string, unknown> | undefined
  isStreamed: boolean
  /** API key of the request. */
  key: string | undefined
  /** Body as received. */
  body: Record<string, unknown>
}

/** A well-formed answer in the dialect of the call, streamed if requested. */
export type TextReply = {
  says: string
  end?: 'complete' | 'cut' | 'declined'
  /** Null if the server does not report the usage. */
  usage?: { input: number; output: number } | null
  model?: string
}
/** Verbatim bytes, for malformed answers. */
export type Raw = { status?: number; headers?: Record<string, string>; body?: string | Uint8Array }
/** Transport failures: no answer, an answer that breaks off half-way, or one that never ends. */
type Trouble = { trouble: 'hangs' | 'breaks off' | 'dawdles'; with?: TextReply }
export type ModelReply = TextReply | Raw | Trouble
/** Returns the reply to each call; `nth` counts from 1. */
export type ModelScript = (call: ModelCall, nth: number) => ModelReply | Promise<ModelReply>

export const says = (text: string, more: Omit<TextReply, 'says'> = {}): TextReply => ({ says: text, ...more })
export const gives = (value: unknown, more: Omit<TextReply, 'says'> = {}): TextReply =>
  says(JSON.stringify(value), more)
export const refuses = (
  status: number,
  message: string,
  more: { code?: string; headers?: Record<string, string> } = {},
) =>
  ({
    status,
    headers: more.headers ?? {},
    body: JSON.stringify({ error: { message, type: 'invalid_request_error', code: more.code ?? null } }),
  }) satisfies Raw

export type ModelServer = Awaited<ReturnType<typeof startModelServer>>

/** Starts a model server on loopback that supports both dialects and answers by a script. */
export async function startModelServer(first: ModelScript = () => says('Hello')) {
  const calls: ModelCall[] = []
  let script = first
  const server = http.createServer((request, response) => {
    const serve = async () => {
      const call = await receive(request)
      calls.push(call)
      await answer(call, await script(call, calls.length), response)
    }
    // An error in a script is returned to the client, so the test fails.
    serve().catch((error: unknown) =>
      response.writeHead(418).end(JSON.stringify({ error: { message: String(error) } })),
    )
  })
  const { origin } = await listen(server)
  return {
    /** Returns the base URL in the form of the setting. */
    url: (dialect: Dialect) => (dialect === 'openai' ? `${origin}/v1` : origin),
    calls,
    /** Replaces the script, and counts calls from 1 again. */
    play(next: ModelScript) {
      script = next
      calls.length = 0
    },
    close: () => closeNow(server),
  }
}

async function receive(request: http.IncomingMessage): Promise<ModelCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
  const isAnthropic = request.url?.endsWith('/v1/messages') === true
  const messages = (body['messages'] as { role: string; content: string }[]).map(({ role, content }) => ({
    role: role as 'user',
    text: content,
  }))
  const talk = messages.filter(({ role }) => role !== ('system' as string))
  const system = isAnthropic ? body['system'] : messages.find(({ role }) => role === ('system' as string))?.text
  const bearer = request.headers.authorization?.replace(/^Bearer /, '')
  return {
    dialect: isAnthropic ? 'anthropic' : 'openai',
    model: String(body['model']),
    system: String(system ?? ''),
    messages: talk,
    prompt: talk.at(-1)?.text ?? '',
    ...formatIn(body),
    isStreamed: body['stream'] === true,
    key: isAnthropic ? request.headers['x-api-key']?.toString() : bearer,
    body,
  }
}

type Format = { json_schema?: { schema?: Record<string, unknown> }; schema?: Record<string, unknown>; type?: string }

function formatIn(body: Record<string, unknown>): Pick<ModelCall, 'jsonMode' | 'schema'> {
  const [tool] = (body['tools'] ?? []) as { input_schema: Record<string, unknown> }[]
  if (tool) return { jsonMode: 'tool', schema: tool.input_schema }
  const config = body['output_config'] as { format?: Format } | undefined
  const format = (body['response_format'] as Format | undefined) ?? config?.format
  const jsonMode = format?.type as 'json_schema' | 'json_object' | undefined
  return { jsonMode, schema: format?.json_schema?.schema ?? format?.schema }
}

async function answer(call: ModelCall, reply: ModelReply, response: http.ServerResponse): Promise<void> {
  if ('trouble' in reply) return makeTrouble(call, reply, response)
  if (!('says' in reply)) {
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.body)
    return
  }
  response.writeHead(200, { 'content-type': call.isStreamed ? 'text/event-stream' : 'application/json' })
  response.end((call.isStreamed ? streamOf(call, reply) : [wholeOf(call, reply)]).join(''))
}

const dawdleMs = 20

async function makeTrouble(call: ModelCall, { trouble, with: reply }: Trouble, response: http.ServerResponse) {
  if (trouble === 'hangs') return
  const parts = call.isStreamed ? streamOf(call, reply ?? says('Hello')) : [...wholeOf(call, reply ?? says('Hello'))]
  response.writeHead(200, { 'content-type': call.isStreamed ? 'text/event-stream' : 'application/json' })
  if (trouble === 'breaks off') {
    response.write(parts.slice(0, Math.ceil(parts.length / 2)).join(''), () => response.destroy())
    return
  }
  // Keeps sending and never ends.
  for (let nth = 0; !response.destroyed; nth++) {
    response.write(nth < parts.length - 4 ? parts[nth]! : call.isStreamed ? ': wait\n\n' : ' ')
    await setTimeout(dawdleMs)
  }
}
