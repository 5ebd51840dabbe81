import type { ModelUsage } from '../../../contracts/model-port.ts'
import { isRecord } from '../../../util/json.ts'
import { type Dialect, type Prompt, type Reply, systemOf, textOr, tokens } from './dialect.ts'

const toolName = 'answer'

/** The Messages API of Anthropic, which other providers offer too. */
export const anthropic: Dialect = {
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
      ...formatOf(prompt.json),
    }
  },
  read(answer) {
    if (!isRecord(answer) || !Array.isArray(answer['content'])) return undefined
    const blocks: unknown[] = answer['content']
    const { stop_reason: reason, usage } = answer
    return {
      text: inputOfTool(blocks) ?? blocks.map(textOfBlock).join(''),
      end: endOf(reason) ?? 'complete',
      model: textOr(answer['model'], undefined),
      usage: isRecord(usage)
        ? { inputTokens: inputTokens(usage), outputTokens: tokens(usage['output_tokens']) }
        : undefined,
    }
  },
  reader() {
    let end: Reply['end'] | undefined
    let model: string | undefined
    let usage: ModelUsage | undefined
    return {
      take(event) {
        if (!isRecord(event)) return ''
        const { type, message, delta } = event
        if (type === 'message_start' && isRecord(message)) {
          model = textOr(message['model'], undefined)
          if (isRecord(message['usage'])) usage = { inputTokens: inputTokens(message['usage']), outputTokens: 0 }
        }
        if (type === 'message_delta' && isRecord(delta)) {
          end = endOf(delta['stop_reason']) ?? end
          if (isRecord(event['usage']))
            usage = { inputTokens: usage?.inputTokens ?? 0, outputTokens: tokens(event['usage']['output_tokens']) }
        }
        return type === 'content_block_delta' ? textOfBlock(delta) : ''
      },
      end: () => end && { end, model, usage },
    }
  },
}

function formatOf(json: Prompt['json']) {
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

function endOf(reason: unknown): Reply['end'] | undefined {
  if (reason === 'refusal') return 'declined'
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'cut'
  return typeof reason === 'string' ? 'complete' : undefined
}

/** Sums the input tokens, because tokens read from or written to the provider's cache are reported separately. */
const inputTokens = (usage: Record<string, unknown>): number =>
  tokens(usage['input_tokens']) +
  tokens(usage['cache_creation_input_tokens']) +
  tokens(usage['cache_read_input_tokens'])
