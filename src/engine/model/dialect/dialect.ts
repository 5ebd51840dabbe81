import type { JsonMode, ModelMessage, ModelUsage } from '../../../contracts/model-port.ts'

/** Yields the data of server-sent events (WHATWG HTML, 9.2.6) as they arrive; other fields and comments are skipped. */
export async function* eventsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of linesOf(chunks)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    if (line !== '' || data.length === 0) continue
    yield data.join('\n')
    data = []
  }
  // Some servers close right after the last event, without its terminating empty line.
  if (data.length > 0) yield data.join('\n')
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, { stream: true })
    // A CR at the end may be the first half of a CRLF.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text
    const lines = whole.split(/\r\n|\r|\n/)
    rest = `${lines.pop() ?? ''}${text.slice(whole.length)}`
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Fields that some servers refuse; each can be omitted. */
export const optionalFields = [
  'stream_options',
  'stream',
  'temperature',
  'max_completion_tokens',
  'max_tokens',
] as const
export type OptionalField = (typeof optionalFields)[number]

/** One request, independent of the dialect. */
export type Prompt = {
  model: string
  system: string
  messages: readonly ModelMessage[]
  maxOutputTokens: number
  json?: { mode: JsonMode; schema: object } | undefined
  isStreamed: boolean
  without: ReadonlySet<OptionalField>
}

export type Reply = {
  text: string
  /** `cut`: the output limit was reached. `declined`: the model or its provider refused to answer. */
  end: 'complete' | 'cut' | 'declined'
  /** Undefined if the server does not report it. */
  model: string | undefined
  usage: ModelUsage | undefined
}

/** Parses a streamed reply. */
export type StreamReader = {
  /** Takes one event and returns the text in it. */
  take(event: unknown): string
  /** Returns the reply without its text; undefined until the server has reported the end. */
  end(): Omit<Reply, 'text'> | undefined
}

/** API of one family of servers. */
export type Dialect = {
  /** Path after the base URL. */
  path: string
  headers(key: string | undefined): Readonly<Record<string, string>>
  /** JSON modes from the strictest to the loosest. */
  jsonModes: readonly JsonMode[]
  body(prompt: Prompt): object
  /** Parses an answer; undefined if it does not have the expected shape. */
  read(answer: unknown): Reply | undefined
  reader(): StreamReader
}

/** Instruction that describes the shape of the answer to a model if the server does not enforce it. */
export const schemaInstruction = (schema: object): string =>
  `Answer with one JSON object and nothing else. It must obey this JSON Schema:\n${JSON.stringify(schema)}`

/** Returns the system text, with the schema instruction for a loose mode. */
export function systemOf({ system, json }: Pick<Prompt, 'system' | 'json'>): string {
  if (json?.mode !== 'json_object' && json?.mode !== 'prompt') return system
  return `${system}\n\n${schemaInstruction(json.schema)}`.trim()
}

export const tokens = (count: unknown): number =>
  typeof count === 'number' && Number.isFinite(count) && count > 0 ? Math.round(count) : 0

export const textOr = (value: unknown, other: string | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : other
