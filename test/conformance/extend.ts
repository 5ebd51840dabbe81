import {
  type CallToolRequest,
  type GetPromptResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Base } from '../../src/surfaces/mcp/server-options.ts'
import { png } from './operations.ts'
import { nativeTools } from './tools.ts'

type Content = GetPromptResult['messages'][number]['content']
type FixturePrompt = {
  prompt: Prompt
  get(args: Record<string, string>, context: ServerContext): GetPromptResult | InputRequiredResult
}

const messages = (...contents: Content[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})
const words = (text: string): Content => ({ type: 'text', text })
const context = {
  method: 'elicitation/create' as const,
  params: {
    mode: 'form' as const,
    message: 'What context should the prompt use?',
    requestedSchema: { type: 'object' as const, properties: { context: { type: 'string' as const } } },
  },
}

function prompt(name: string, get: FixturePrompt['get'], args: string[] = []): FixturePrompt {
  const described = args.map((argument) => ({ name: argument, description: argument, required: true }))
  return { prompt: { name, description: `Fixture ${name}.`, arguments: described }, get }
}

const prompts: FixturePrompt[] = [
  prompt('test_simple_prompt', () => messages(words('This is a simple prompt for testing.'))),
  prompt(
    'test_prompt_with_arguments',
    ({ arg1, arg2 }) => messages(words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
    ['arg1', 'arg2'],
  ),
  prompt(
    'test_prompt_with_embedded_resource',
    ({ resourceUri }) =>
      messages(
        {
          type: 'resource',
          resource: { uri: resourceUri ?? '', mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        words('Please process the embedded resource above.'),
      ),
    ['resourceUri'],
  ),
  prompt('test_prompt_with_image', () =>
    messages({ type: 'image', data: png, mimeType: 'image/png' }, words('Please analyze the image above.')),
  ),
  prompt('test_input_required_result_prompt', (_args, { mcpReq }) =>
    inputResponse(mcpReq.inputResponses, 'user_context').kind === 'missing'
      ? inputRequired({ inputRequests: { user_context: context } })
      : messages(words('Context received.')),
  ),
]

const resources = [
  { uri: 'test://static-text', mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  { uri: 'test://static-binary', mimeType: 'image/png', blob: png },
  { uri: 'test://watched-resource', mimeType: 'text/plain', text: 'Watched.' },
  { uri: 'test://example-resource', mimeType: 'text/plain', text: 'Example.' },
]

/** Replaces production handlers by those that the suite needs, which call the originals. */
export function addFixtures(server: Server, base: Base): void {
  server.registerCapabilities({ prompts: {}, logging: {}, completions: {} })
  server.setRequestHandler('tools/list', (_request, call) => ({
    tools: [...base.tools(call), ...nativeTools.map(({ tool }) => tool)],
  }))
  server.setRequestHandler('tools/call', (request: CallToolRequest, call: ServerContext) => {
    const own = nativeTools.find(({ tool }) => tool.name === request.params.name)
    return own ? own.call(request.params.arguments ?? {}, call) : base.callTool(request, call)
  })
  server.setRequestHandler('resources/list', () => ({
    resources: resources.map(({ uri, mimeType }) => ({ uri, name: uri, description: uri, mimeType })),
  }))
  server.setRequestHandler('resources/read', async (request, call) => {
    const own = resources.find(({ uri }) => uri === request.params.uri)
    return own ? { contents: [own] } : base.readResource(request, call)
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map((fixture) => fixture.prompt) }))
  server.setRequestHandler('prompts/get', async ({ params }, call) => {
    const found = prompts.find((fixture) => fixture.prompt.name === params.name)
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`)
    return found.get(params.arguments ?? {}, call)
  })
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['test'], total: 1, hasMore: false },
  }))
}
