import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { streamOf, wholeOf } from './model-dialects.ts'

export type Dialect = 'openai' | 'anthropic'

/** One request, in the same words whatever the dialect. */
export type ModelCall = {
  dialect: Dialect
  model: string
  system: string
  messages: { role: 'user' | 'assistant'; text: string }[]
  /** The last message. */
  prompt: string
  /** How JSON is asked for; undefined where only the text asks for it, or nothing does. */
  jsonMode: 'json_schema' | 'json_object' | 'tool' | undefined
  schema: Record<string, unknown> | undefined
  isStreamed: boolean
  /** The key it came with. */
  key: string | undefined
  /** As it came. */
  body: Record<string, unknown>
}

/** An answer that is well-formed in the dialect of the call, streamed where that was asked for. */
export type Said = {
  says: string
  end?: 'complete' | 'cut' | 'declined'
  /** Null: the server does not say what it charged. */
  usage?: { input: number; output: number } | null
  model?: string
}
/** Bytes as they are, for what is not well-formed. */
export type Raw = { status?: number; headers?: Record<string, string>; body?: string | Uint8Array }
/** What goes wrong beside the words: no answer at all, one that breaks off half-way, one that takes for ever. */
export type Trouble = { trouble: 'hangs' | 'breaks off' | 'dawdles'; with?: Said }
export type ModelReply = Said | Raw | Trouble
/** What a model does, call by call; `nth` counts from 1. */
export type ModelScript = (call: ModelCall, nth: number) => ModelReply | Promise<ModelReply>

export const says = (text: string, more: Omit<Said, 'says'> = {}): Said => ({ says: text, ...more })
export const gives = (value: unknown, more: Omit<Said, 'says'> = {}): Said => says(JSON.stringify(value), more)
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

/** A model server on loopback that speaks both dialects and does what a script says. */
export async function startModelServer(first: ModelScript = () => says('Hello')) {
  const calls: ModelCall[] = []
  let script = first
  const server = http.createServer((request, response) => {
    const serve = async () => {
      const call = await receive(request)
      calls.push(call)
      await answer(call, await script(call, calls.length), response)
    }
    // A script that fails is a test that fails: the client hears of it.
    serve().catch((error: unknown) =>
      response.writeHead(418).end(JSON.stringify({ error: { message: String(error) } })),
    )
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    /** The base URL, as the setting takes it. */
    url: (dialect: Dialect) => (dialect === 'openai' ? `${origin}/v1` : origin),
    calls,
    /** From here on another script answers, and calls count from 1. */
    play(next: ModelScript) {
      script = next
      calls.length = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
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

async function makeTrouble(call: ModelCall, { trouble, with: said }: Trouble, response: http.ServerResponse) {
  if (trouble === 'hangs') return
  const parts = call.isStreamed ? streamOf(call, said ?? says('Hello')) : [...wholeOf(call, said ?? says('Hello'))]
  response.writeHead(200, { 'content-type': call.isStreamed ? 'text/event-stream' : 'application/json' })
  if (trouble === 'breaks off') {
    response.write(parts.slice(0, Math.ceil(parts.length / 2)).join(''), () => response.destroy())
    return
  }
  // Always about to say the next word, and never done.
  for (let nth = 0; !response.destroyed; nth++) {
    response.write(nth < parts.length - 4 ? parts[nth]! : call.isStreamed ? ': wait\n\n' : ' ')
    await setTimeout(dawdleMs)
  }
}
