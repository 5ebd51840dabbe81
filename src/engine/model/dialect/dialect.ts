import type { JsonMode, ModelMessage, ModelUsage } from '../../../contracts/model-port.ts'
import { isRecord } from '../../../util/json.ts'
import type { DialectName } from '../model-settings.ts'

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

/** Content of a whole answer or of one event of a stream; no `text` if it has none of the expected shape. */
type Part = {
  text?: string
  end?: Reply['end'] | undefined
  model?: string | undefined
  usage?: ModelUsage | undefined
}

/** API of one family of servers. */
export type Dialect = {
  /** Path after the base URL. */
  path: string
  headers(key: string | undefined): Readonly<Record<string, string>>
  /** JSON modes from the strictest to the loosest. */
  jsonModes: readonly JsonMode[]
  body(prompt: Prompt): object
  partIn(message: Record<string, unknown>): Part
}

/** Instruction that describes the shape of the answer to a model if the server does not enforce it. */
export const schemaInstruction = (schema: object): string =>
  `Answer with one JSON object and nothing else. It must obey this JSON Schema:\n${JSON.stringify(schema)}`

/** Returns the system text, with the schema instruction for a loose mode. */
function systemOf({ system, json }: Pick<Prompt, 'system' | 'json'>): string {
  if (json?.mode !== 'json_object' && json?.mode !== 'prompt') return system
  return `${system}\n\n${schemaInstruction(json.schema)}`.trim()
}

const tokens = (count: unknown): number =>
  typeof count === 'number' && Number.isFinite(count) && count > 0 ? Math.round(count) : 0

/** Chat completions API of OpenAI, Ollama, LM Studio, vLLM, llama.cpp and OpenRouter. */
const openai: Dialect = {
  path: '/chat/completions',
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  jsonModes: ['json_schema', 'strict_schema', 'json_object', 'prompt'],
  body(prompt) {
    const { model, messages, without } = prompt
    const system = systemOf(prompt)
    return {
      model,
      messages: [
        ...(system === '' ? [] : [{ role: 'system', content: system }]),
        ...messages.map(({ role, text }) => ({ role, content: text })),
      ],
      ...limitOf(prompt),
      ...(!without.has('temperature') && { temperature: 0 }),
      ...streamOf(prompt),
      ...openAiFormat(prompt.json),
    }
  },
  partIn(answer) {
    const choice = firstChoice(answer)
    const message = choice?.['message'] ?? choice?.['delta']
    const usage = usageIn(answer)
    if (!choice || !isRecord(message)) return { usage }
    const end = openAiEnd(choice['finish_reason'], message['refusal'])
    return { text: textIn(message['content']), end, usage }
  },
}

/** Newer models of OpenAI use another name for the limit, and refuse the old one. */
function limitOf({ maxOutputTokens, without }: Prompt) {
  if (!without.has('max_tokens')) return { max_tokens: maxOutputTokens }
  return without.has('max_completion_tokens') ? {} : { max_completion_tokens: maxOutputTokens }
}

function streamOf({ isStreamed, without }: Prompt) {
  if (!isStreamed || without.has('stream')) return {}
  return { stream: true, ...(!without.has('stream_options') && { stream_options: { include_usage: true } }) }
}

function openAiFormat(json: Prompt['json']) {
  if (json === undefined || json.mode === 'prompt') return {}
  if (json.mode === 'json_object') return { response_format: { type: 'json_object' } }
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: json.schema, strict: true } },
  }
}

function firstChoice({ choices }: Record<string, unknown>): Record<string, unknown> | undefined {
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : []
  return isRecord(choice) ? choice : undefined
}

/** Returns the text of a message; some servers send it in parts, or send a JSON answer as an object. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map((part) => (isRecord(part) ? textIn(part['text']) : '')).join('')
  return isRecord(content) ? JSON.stringify(content) : ''
}

function openAiEnd(reason: unknown, refusal: unknown): Reply['end'] | undefined {
  if (reason === 'content_filter' || (typeof refusal === 'string' && refusal !== '')) return 'declined'
  if (reason === 'length') return 'cut'
  return typeof reason === 'string' ? 'complete' : undefined
}

function usageIn({ usage }: Record<string, unknown>): ModelUsage | undefined {
  if (!isRecord(usage)) return undefined
  return { inputTokens: tokens(usage['prompt_tokens']), outputTokens: tokens(usage['completion_tokens']) }
}

const toolName = 'answer'

/** The Messages API of Anthropic, which other providers offer too. */
const anthropic: Dialect = {
  path: '/v1/messages',
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) }),
  jsonModes: ['json_schema', 'strict_schema', 'tool', 'prompt'],
  body(prompt) {
    const { model, messages, maxOutputTokens, isStreamed, without } = prompt
    const system = systemOf(prompt)
    return {
      model,
      max_tokens: maxOutputTokens,
      ...(system !== '' && { system }),
      messages: messages.map(({ role, text }) => ({ role, content: text })),
      ...(!without.has('temperature') && { temperature: 0 }),
      ...(isStreamed && !without.has('stream') && { stream: true }),
      ...anthropicFormat(prompt.json),
    }
  },
  partIn(answer) {
    const { type, message, delta, usage, content, stop_reason: reason } = answer
    if (Array.isArray(content))
      return {
        text: inputOfTool(content) ?? content.map(textOfBlock).join(''),
        end: anthropicEnd(reason),
        usage: anthropicUsage(usage),
      }
    if (type === 'message_start' && isRecord(message))
      return { text: '', model: nameIn(message), usage: anthropicUsage(message['usage']) }
    if (type === 'message_delta' && isRecord(delta))
      return { text: '', end: anthropicEnd(delta['stop_reason']), usage: anthropicUsage(usage) }
    return type === 'content_block_delta' ? { text: textOfBlock(delta) } : {}
  },
}

const nameIn = ({ model }: Record<string, unknown>) => (typeof model === 'string' ? model : undefined)

function anthropicFormat(json: Prompt['json']) {
  if (json === undefined || json.mode === 'prompt') return {}
  if (json.mode !== 'tool') return { output_config: { format: { type: 'json_schema', schema: json.schema } } }
  return {
    tools: [{ name: toolName, description: 'Gives the answer.', input_schema: json.schema }],
    tool_choice: { type: 'tool', name: toolName },
  }
}

function inputOfTool(blocks: readonly unknown[]): string | undefined {
  const call = blocks.find((block) => isRecord(block) && block['type'] === 'tool_use')
  return isRecord(call) ? JSON.stringify(call['input'] ?? null) : undefined
}

/** Thinking blocks have no `text`. */
const textOfBlock = (block: unknown): string =>
  isRecord(block) && typeof block['text'] === 'string' ? block['text'] : ''

function anthropicEnd(reason: unknown): Reply['end'] | undefined {
  if (reason === 'refusal') return 'declined'
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'cut'
  return typeof reason === 'string' ? 'complete' : undefined
}

const anthropicUsage = (usage: unknown): ModelUsage | undefined =>
  isRecord(usage) ? { inputTokens: inputTokens(usage), outputTokens: tokens(usage['output_tokens']) } : undefined

/** Sums the input tokens, because tokens read from or written to the provider's cache are reported separately. */
const inputTokens = (usage: Record<string, unknown>): number =>
  tokens(usage['input_tokens']) +
  tokens(usage['cache_creation_input_tokens']) +
  tokens(usage['cache_read_input_tokens'])

export const dialects: Readonly<Record<DialectName, Dialect>> = { openai, anthropic }
