export type Result = Record<string, unknown>

/** A minimal MCP client over plain JSON-RPC, which adds almost nothing to the measured time. */
export type McpClient = {
  /** Fails if the answer is a JSON-RPC error, or does not arrive in time. */
  call(method: string, params: object): Promise<Result>
  notify(method: string): Promise<void>
}

export type Answer = { id?: unknown; method?: unknown; result?: Result; error?: { message?: unknown } }

export const answerTimeoutMs = 60_000
export const protocolVersion = '2025-11-25'

/** The three messages that open a session. */
export async function initialize(client: McpClient): Promise<void> {
  const clientInfo = { name: 'gossamer-bench', version: '0.0.0' }
  await client.call('initialize', { protocolVersion, capabilities: {}, clientInfo })
  await client.notify('notifications/initialized')
}

/** Returns all text of a tool's answer. Fails if the tool reports an error. */
export async function callTool(client: McpClient, name: string, args: object): Promise<string> {
  const { content, isError } = await client.call('tools/call', { name, arguments: args })
  const blocks = content as { type: string; text?: string }[]
  const text = blocks.map((block) => block.text ?? '').join('\n')
  if (isError === true) throw new Error(`The tool ${name} failed: ${text.slice(0, 500)}`)
  return text
}

export function resultOf(method: string, { result, error }: Answer): Result {
  if (result) return result
  throw new Error(`${method} was answered with an error: ${String(error?.message)}`)
}
