import { setTimeout as sleep } from 'node:timers/promises'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type CallToolResult,
  createRequestStateCodec,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { png } from './operations.ts'

/** A tool that no operation can provide: it sends requests to the client, or returns content of unusual kinds. */
export type NativeTool = {
  tool: Tool
  call(args: Record<string, unknown>, context: ServerContext): Promise<CallToolResult | InputRequiredResult>
}

const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] })
const form = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object' as const,
  properties,
  required,
})
const string = { type: 'string' }
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
})
const silence = Buffer.from(
  'RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0\x80>\0\0\x02\0\x10\0data\0\0\0\0',
  'latin1',
)

function native(name: string, call: NativeTool['call'], properties: Record<string, object> = {}): NativeTool {
  const inputSchema = form(properties) as Tool['inputSchema']
  return { tool: { name, description: `Fixture ${name} of the conformance suite.`, inputSchema }, call }
}

const elicit = (message: string, properties: Record<string, object>): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: form(properties) as never },
})
const sample = (words: string, maxTokens = 100) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: words } }],
  maxTokens,
})

async function askUser(context: ServerContext, message: string, properties: Record<string, object>, label: string) {
  const params = { message, requestedSchema: form(properties) }
  const answer = await context.mcpReq.send({ method: 'elicitation/create', params })
  return text(`${label}: action=${answer.action}, content=${JSON.stringify(answer.content)}`)
}

const plain: NativeTool[] = [
  native('test_audio_content', async () => ({
    content: [{ type: 'audio', data: silence.toString('base64'), mimeType: 'audio/wav' }],
  })),
  native('test_embedded_resource', async () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  })),
  native('test_multiple_content_types', async () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: png, mimeType: 'image/png' },
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  })),
  native('test_tool_with_logging', async (_args, { mcpReq }) => {
    for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', words)
      await sleep(50)
    }
    return text('Done, with logs.')
  }),
  native('test_logging_tool', async (_args, { mcpReq }) => {
    await mcpReq.log('info', 'Only for clients that asked.')
    return text('Done.')
  }),
]

const titled = [
  { const: 'value1', title: 'First Option' },
  { const: 'value2', title: 'Second Option' },
  { const: 'value3', title: 'Third Option' },
]
const untitled = { type: 'string', enum: ['option1', 'option2', 'option3'] }

/** Requests to the client while a call runs, as protocols before 2026-07-28 allow. */
const pushing: NativeTool[] = [
  native(
    'test_sampling',
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.send({ method: 'sampling/createMessage', params: sample(String(prompt)) })
      return text(`LLM response: ${JSON.stringify(content)}`)
    },
    { prompt: string },
  ),
  native(
    'test_elicitation',
    ({ message }, context) => askUser(context, String(message), { username: string, email: string }, 'User response'),
    { message: string },
  ),
  native('test_elicitation_sep1034_defaults', (_args, context) =>
    askUser(
      context,
      'Check the defaults',
      {
        name: { ...string, default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { ...string, enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
      'Elicitation completed',
    ),
  ),
  native('test_elicitation_sep1330_enums', (_args, context) =>
    askUser(
      context,
      'Choose',
      {
        untitledSingle: untitled,
        titledSingle: { ...string, oneOf: titled },
        legacyEnum: {
          ...string,
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: untitled },
        titledMulti: { type: 'array', items: { anyOf: titled } },
      },
      'Elicitation completed',
    ),
  ),
]

const askName = elicit('What is your name?', { name: string })
const askOk = elicit('Please confirm', { ok: { type: 'boolean' } })
const askModel = (words: string, maxTokens = 100) => inputRequired.createMessage(sample(words, maxTokens))
const has = ({ mcpReq }: ServerContext, key: string) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing'

/** Asks once for all of `inputRequests`, then answers. */
const asking = (name: string, inputRequests: Record<string, InputRequest>): NativeTool =>
  native(name, async (_args, context) =>
    Object.keys(inputRequests).every((key) => has(context, key))
      ? text(`Answered: ${JSON.stringify(context.mcpReq.inputResponses)}`)
      : inputRequired({ inputRequests }),
  )

const states = createRequestStateCodec<{ round: number }>({ key: 'fixture key of thirty-two bytes!!' })

async function roundOf(context: ServerContext): Promise<number> {
  const state = context.mcpReq.requestState<string>()
  if (state === undefined) return 0
  try {
    return (await states.verify(state, context)).round
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The requestState was not made by this server')
  }
}

/** Asks in rounds, with a signed state that contains the number of the round. */
const rounds = (name: string, roundRequests: Record<string, InputRequest>[]): NativeTool =>
  native(name, async (_args, context) => {
    const round = await roundOf(context)
    const inputRequests = roundRequests[round]
    if (!inputRequests) return text('state-ok')
    return inputRequired({ inputRequests, requestState: await states.mint({ round: round + 1 }, context) })
  })

const modern: NativeTool[] = [
  asking('test_input_required_result_elicitation', { user_name: askName }),
  asking('test_input_required_result_sampling', { capital_question: askModel('What is the capital of France?') }),
  asking('test_input_required_result_list_roots', { client_roots: inputRequired.listRoots() }),
  asking('test_streaming_elicitation', { user_name: askName }),
  asking('test_missing_capability', { model: askModel('Anyone there?') }),
  rounds('test_input_required_result_request_state', [{ confirm: askOk }]),
  rounds('test_input_required_result_tampered_state', [{ confirm: askOk }]),
  rounds('test_input_required_result_multiple_inputs', [
    { user_name: askName, greeting: askModel('Generate a greeting', 50), client_roots: inputRequired.listRoots() },
  ]),
  rounds('test_input_required_result_multi_round', [
    { step1: elicit('Step 1: What is your name?', { name: string }) },
    { step2: elicit('Step 2: What is your favorite color?', { color: string }) },
  ]),
  native('test_input_required_result_capabilities', async (_args, { mcpReq }) => {
    const envelope: Record<string, ClientCapabilities | undefined> = { ...mcpReq.envelope }
    const declared = envelope[CLIENT_CAPABILITIES_META_KEY]
    return inputRequired({
      inputRequests: {
        ...(declared?.sampling && { model: askModel('Hello?') }),
        ...(declared?.elicitation && { user_name: askName }),
      },
    })
  }),
]

export const nativeTools: readonly NativeTool[] = [...plain, ...pushing, ...modern]
