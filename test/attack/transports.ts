import { localTeam } from '../../src/app/app.ts'
import { call } from '../../src/cli/commands/call-command.ts'
import { plain } from '../../src/cli/terminal-io.ts'
import { toAppError, toBody } from '../../src/kernel/error.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { toRequest } from '../../src/kernel/route.ts'
import type { Call } from '../../src/kernel/written-call.ts'
import { createRemoteInvoke } from '../../src/surfaces/remote.ts'
import { isRecord } from '../../src/util/json.ts'
import { toolCall } from '../helpers/tool-call.ts'
import { modern } from '../mcp/http-toy.ts'
import { message, type Stand } from './stand.ts'

/** The answer: its bytes and its text. */
export type Outcome = { text: string; status?: number; code: string | undefined }
type Transport = (stand: Stand, operation: AnyOperation, input: unknown) => Promise<Outcome>

export const transports: Readonly<Record<string, Transport>> = {
  REST: (stand, operation, input) => overRest(stand, requestFor(operation, input)),
  '/v1': (stand, operation, input) => {
    const request = requestFor(operation, input)
    return overRest(stand, { ...request, path: request.path.replace('/v2/', '/v1/') })
  },
  'MCP over HTTP': async ({ post, session }, { name }, input) => {
    const { text } = await post('/mcp', message('tools/call', toolCall(name, input)), await session())
    return toolOutcome(text)
  },
  'MCP over HTTP without a session': async ({ post }, { name }, input) => {
    const params = toolCall(name, input)
    const body = message('tools/call', { ...params, _meta: modern })
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': params.name }
    return toolOutcome((await post('/mcp', body, headers)).text)
  },
  'MCP over stdio': async ({ line }, { name }, input) =>
    toolOutcome(await line(message('tools/call', toolCall(name, input)))),
  passthrough: async ({ app, send }, operation, input) => {
    const invoke = createRemoteInvoke({ baseUrl: 'http://localhost', send })
    const ctx = app.newCtx({ team: localTeam, signal: new AbortController().signal, baseUrl: '' })
    try {
      const output = await invoke(operation, isRecord(input) ? input : { input }, ctx)
      return { text: JSON.stringify(output), code: undefined }
    } catch (thrown) {
      const error = toAppError(thrown)
      return { text: JSON.stringify(toBody(error)), status: error.status, code: error.code }
    }
  },
  'the command line': async ({ app, config, log }, { name }, input) => {
    let text = ''
    const out = (more: string) => void (text += more)
    const terminal = { out, err: out, isInteractive: false, style: { out: plain, err: plain } }
    const { signal } = new AbortController()
    const context = { words: [], flags: { json: true }, settings: {}, config, app: app as never, log, terminal, signal }
    await call(context, name, isRecord(input) ? input : { input })
    return { text, code: (JSON.parse(text) as { code?: string }).code }
  },
}

async function overRest({ send }: Stand, { method, path, body }: Call): Promise<Outcome> {
  const headers = { 'content-type': 'application/json' }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await send(new Request(`http://localhost${path}`, init))
  const text = await response.text()
  return { text, status: response.status, code: (JSON.parse(text) as { code?: string }).code }
}

/** Values that no path can carry go into the body, with the path of the example. */
function requestFor(operation: AnyOperation, input: unknown): Call {
  const usual = toRequest(operation, operation.example)
  if (!isRecord(input)) return { ...usual, ...(usual.body && { body: input as never }) }
  try {
    const request = toRequest(operation, { ...operation.example, ...input })
    return request.path.length > 8000 ? usual : { ...request, ...(request.body && { body: input }) }
  } catch {
    return { ...usual, ...(usual.body && { body: input }) }
  }
}

/** The answer to a tool call: JSON alone, or as the event of a stream. */
function toolOutcome(text: string): Outcome {
  const json = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '{}')
  const { result, error } = JSON.parse(json) as {
    result?: { isError?: boolean; content: { text: string }[] }
    error?: { code: number }
  }
  if (error) return { text, code: `protocol error ${error.code}` }
  return { text, code: result?.isError ? result.content[0]?.text.split(':')[0] : undefined }
}
