import type { JsonMode, ModelMessage, ModelUsage } from '../../../contracts/model-port.ts'

/** The data of server-sent events (WHATWG HTML, 9.2.6) as they come; other fields and comments are passed over. */
export async function* eventsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of linesOf(chunks)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    if (line !== '' || data.length === 0) continue
    yield data.join('\n')
    data = []
  }
  // Some servers close right after the last event, without its empty line.
  if (data.length > 0) yield data.join('\n')
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, { stream: true })
    // A CR at the end may be half of a CRLF.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text
    const lines = whole.split(/\r\n|\r|\n/)
    rest = `${lines.pop() ?? ''}${text.slice(whole.length)}`
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Fields that some servers refuse; each can be left out. */
export const optionalFields = [
  'stream_options',
  'stream',
  'temperature',
  'max_completion_tokens',
  'max_tokens',
] as const
export type OptionalField = (typeof optionalFields)[number]

/** One request, before it is put into the words of a dialect. */
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
  /** `cut`: at the limit of output. `declined`: the model or its provider would not answer. */
  end: 'complete' | 'cut' | 'declined'
  /** Undefined where the server does not say. */
  model: string | undefined
  usage: ModelUsage | undefined
}

/** What has come of a streamed reply. */
export type StreamReader = {
  /** Takes one event and returns the text in it. */
  take(event: unknown): string
  /** All but the text; undefined while the server has not said that this was all. */
  end(): Omit<Reply, 'text'> | undefined
}

/** How one family of servers is spoken to. */
export type Dialect = {
  /** What follows the base URL. */
  path: string
  headers(key: string | undefined): Readonly<Record<string, string>>
  /** From the firmest to the loosest. */
  jsonModes: readonly JsonMode[]
  body(prompt: Prompt): object
  /** Undefined where the answer has not the shape of one. */
  read(answer: unknown): Reply | undefined
  reader(): StreamReader
}

/** What tells a model the shape of its answer where the server does not enforce it. */
export const schemaInstruction = (schema: object): string =>
  `Answer with one JSON object and nothing else. It must obey this JSON Schema:\n${JSON.stringify(schema)}`

/** The system text with what a loose mode adds to it. */
export function systemOf({ system, json }: Pick<Prompt, 'system' | 'json'>): string {
  if (json?.mode !== 'json_object' && json?.mode !== 'prompt') return system
  return `${system}\n\n${schemaInstruction(json.schema)}`.trim()
}

export const tokens = (count: unknown): number =>
  typeof count === 'number' && Number.isFinite(count) && count > 0 ? Math.round(count) : 0

export const textOr = (value: unknown, other: string | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : other
