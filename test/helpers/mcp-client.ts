import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { bin, cleanEnv } from './program.ts'

type Options = Parameters<Client['callTool']>[1]
export type Called = { content: { type: string }[]; text: string; pictures: string[]; isError: boolean }
export type McpClient = {
  sdk: Client
  /** Process of the program, over stdio. */
  pid: number
  call(name: string, args?: Record<string, unknown>, options?: Options): Promise<Called>
  close(): Promise<void>
}

async function connected(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<McpClient> {
  const sdk = new Client({ name: 'test', version: '1.0.0' })
  await sdk.connect(transport)
  return {
    sdk,
    pid: transport instanceof StdioClientTransport ? (transport.pid ?? 0) : 0,
    call: async (name, args = {}, options) => {
      const { content, isError } = await sdk.callTool({ name, arguments: args }, options)
      return {
        content,
        text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
        pictures: content.flatMap((part) => (part.type === 'image' ? [part.mimeType] : [])),
        isError: isError === true,
      }
    },
    close: () => sdk.close(),
  }
}

/** The built program over stdio, or another one. */
export const stdioClient = (env: Record<string, string> = {}, args: readonly string[] = [bin]): Promise<McpClient> =>
  connected(
    new StdioClientTransport({ command: process.execPath, args: [...args], env: cleanEnv(env), stderr: 'ignore' }),
  )

/** A client of the server at this address, such as `http://127.0.0.1:3002/mcp`. */
export function httpClient(url: string, key?: string): Promise<McpClient> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  return connected(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
}
