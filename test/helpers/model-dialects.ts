import type { ModelCall, TextReply } from './model-server.ts'

/** Returns the answer as one JSON text. */
export function wholeOf(call: ModelCall, reply: TextReply): string {
  return JSON.stringify(call.dialect === 'openai' ? completion(call, reply) : message(call, reply))
}

/** Returns the answer as server-sent events of a few characters each. */
export function streamOf(call: ModelCall, reply: TextReply): string[] {
  const pieces = reply.says.match(/[\s\S]{1,7}/g) ?? []
  return call.dialect === 'openai' ? chunks(call, reply, pieces) : events(call, reply, pieces)
}

const modelOf = (call: ModelCall, reply: TextReply) => reply.model ?? `${call.model}-2026`
const countsOf = ({ usage }: TextReply) => (usage === null ? undefined : (usage ?? { input: 11, output: 7 }))

const reasons = {
  openai: { complete: 'stop', cut: 'length', declined: 'content_filter' },
  anthropic: { complete: 'end_turn', cut: 'max_tokens', declined: 'refusal' },
}

function openaiUsage(reply: TextReply) {
  const counts = countsOf(reply)
  return (
    counts && {
      prompt_tokens: counts.input,
      completion_tokens: counts.output,
      total_tokens: counts.input + counts.output,
    }
  )
}

function completion(call: ModelCall, reply: TextReply) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: modelOf(call, reply),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.says, refusal: null },
        finish_reason: reasons.openai[reply.end ?? 'complete'],
      },
    ],
    usage: openaiUsage(reply),
  }
}

function chunks(call: ModelCall, reply: TextReply, pieces: readonly string[]): string[] {
  const chunk = (delta: object, finish_reason: string | null) =>
    event({
      object: 'chat.completion.chunk',
      model: modelOf(call, reply),
      choices: [{ index: 0, delta, finish_reason }],
    })
  const usage = openaiUsage(reply)
  const isWanted = (call.body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage === true
  return [
    ': comment\n\n',
    chunk({ role: 'assistant', content: '' }, null),
    ...pieces.map((content) => chunk({ content }, null)),
    chunk({}, reasons.openai[reply.end ?? 'complete']),
    ...(usage && isWanted ? [event({ model: modelOf(call, reply), choices: [], usage })] : []),
    'data: [DONE]\n\n',
  ]
}

function message(call: ModelCall, reply: TextReply) {
  const counts = countsOf(reply)
  const input = call.jsonMode === 'tool' ? objectIn(reply.says) : undefined
  const block = input ? { type: 'tool_use', id: 'toolu_1', name: 'answer', input } : { type: 'text', text: reply.says }
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: modelOf(call, reply),
    content: [{ type: 'thinking', thinking: 'Let me see.', signature: 'x' }, block],
    stop_reason: input ? 'tool_use' : reasons.anthropic[reply.end ?? 'complete'],
    usage: counts && { input_tokens: counts.input, output_tokens: counts.output },
  }
}

function events(call: ModelCall, reply: TextReply, pieces: readonly string[]): string[] {
  const counts = countsOf(reply)
  return [
    named('message_start', {
      message: { model: modelOf(call, reply), usage: counts && { input_tokens: counts.input, output_tokens: 1 } },
    }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    named('ping', {}),
    ...pieces.map((text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    named('content_block_stop', { index: 0 }),
    named('message_delta', {
      delta: { stop_reason: reasons.anthropic[reply.end ?? 'complete'] },
      usage: counts && { output_tokens: counts.output },
    }),
    named('message_stop', {}),
  ]
}

const named = (type: string, more: object) => `event: ${type}\r\n${event({ type, ...more })}`

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
