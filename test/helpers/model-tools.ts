import type { ModelCall, Raw } from './model-server.ts'

type OfferedTool = { name: string; parameters: Record<string, unknown>; strict?: boolean | null }

/** Returns the tools that a program offers the model, in the OpenAI API. */
export const toolsOf = ({ body }: ModelCall): OfferedTool[] =>
  ((body['tools'] ?? []) as { function: OfferedTool }[]).map((tool) => tool.function)

/** Returns a tool call instead of text. */
export function wants(call: ModelCall, name: string, input: object): Raw {
  // Programs distinguish calls by their ids.
  const toolCall = {
    id: `call_${call.messages.length}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }
  // Some programs treat two messages with the same id as one.
  const about = { id: 'chatcmpl-tool', created: 1, model: call.model }
  if (!call.isStreamed) {
    const message = { role: 'assistant', content: null, tool_calls: [toolCall] }
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    return json({ ...about, object: 'chat.completion', choices, usage })
  }
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const body = [chunk({ role: 'assistant', tool_calls: [{ index: 0, ...toolCall }] }, null), chunk({}, 'tool_calls')]
  return { headers: { 'content-type': 'text/event-stream' }, body: `${body.join('')}data: [DONE]\n\n` }
}

const json = (value: object): Raw => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
