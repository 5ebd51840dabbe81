import type { ModelUsage } from '../../../contracts/model-port.ts'
import { isRecord } from '../../../util/json.ts'
import { type Dialect, type Prompt, type Reply, systemOf, textOr, tokens } from './dialect.ts'

/** Chat completions API of OpenAI, Ollama, LM Studio, vLLM, llama.cpp and OpenRouter. */
export const openai: Dialect = {
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
      ...formatOf(prompt.json),
    }
  },
  read(answer) {
    if (!isRecord(answer)) return undefined
    const choice = firstChoice(answer)
    const message = choice?.['message']
    if (!choice || !isRecord(message)) return undefined
    const text = textIn(message['content'])
    const end = endOf(choice['finish_reason'], message['refusal'])
    return { text, end: end ?? 'complete', model: textOr(answer['model'], undefined), usage: usageIn(answer) }
  },
  reader() {
    let end: Reply['end'] | undefined
    let model: string | undefined
    let usage: ModelUsage | undefined
    return {
      take(event) {
        if (!isRecord(event)) return ''
        model = textOr(event['model'], model)
        usage = usageIn(event) ?? usage
        const choice = firstChoice(event)
        const delta = choice?.['delta']
        if (!choice || !isRecord(delta)) return ''
        end = endOf(choice['finish_reason'], delta['refusal']) ?? end
        return textIn(delta['content'])
      },
      end: () => end && { end, model, usage },
    }
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

function formatOf(json: Prompt['json']) {
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

function endOf(reason: unknown, refusal: unknown): Reply['end'] | undefined {
  if (reason === 'content_filter' || (typeof refusal === 'string' && refusal !== '')) return 'declined'
  if (reason === 'length') return 'cut'
  return typeof reason === 'string' ? 'complete' : undefined
}

function usageIn({ usage }: Record<string, unknown>): ModelUsage | undefined {
  if (!isRecord(usage)) return undefined
  return { inputTokens: tokens(usage['prompt_tokens']), outputTokens: tokens(usage['completion_tokens']) }
}
