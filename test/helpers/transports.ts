import { createApp, localTeam } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/read-config.ts'
import { toAppError } from '../../src/kernel/error.ts'
import { createLog } from '../../src/kernel/log.ts'
import { toRequest } from '../../src/kernel/route.ts'
import { operations } from '../../src/operations/index.ts'
import { httpClient, type McpClient, stdioClient } from './mcp-client.ts'
import { toolCall } from './tool-call.ts'

/**
 * Result that is the same over all transports: output or error code. MCP returns some outputs as text, and no status.
 */
export type Answer = {
  output?: Record<string, unknown>
  text?: string
  code?: string
  message?: string
  status?: number
}
export type Transport = { call(name: string, input: Record<string, unknown>): Promise<Answer>; close(): Promise<void> }

/** Returns a cache of reference answers, each of which is requested once. */
export function answersOnce(): (key: string, ask: () => Promise<Answer>) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>()
  return (key, ask) => {
    const answer = answers.get(key) ?? ask()
    answers.set(key, answer)
    return answer
  }
}

const operationOf = (name: string) => {
  const operation = operations.find((each) => each.name === name)
  if (!operation) throw new Error(`no operation ${name}`)
  return operation
}

/** Calls the app in this process, which may forward the call to a server. */
export function inProcess(env: Record<string, string>): Transport {
  const app = createApp(
    readConfig({}, env),
    createLog('silent', () => {}),
  )
  return {
    call: async (name, input) => {
      const ctx = app.newCtx({ team: localTeam, signal: new AbortController().signal, baseUrl: '' })
      try {
        return { output: (await app.invoke(operationOf(name), input, ctx)) as Record<string, unknown> }
      } catch (thrown) {
        const { code, message } = toAppError(thrown)
        return { code, message }
      }
    },
    close: () => app.close(),
  }
}

export function overRest(url: string, key?: string): Transport {
  return {
    call: async (name, input) => {
      const { method, path, body } = toRequest(operationOf(name), input)
      const response = await fetch(url + path, {
        method,
        headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const { success, ...output } = (await response.json()) as Record<string, unknown>
      if (success === true) return { output }
      const [code, message] = [String(output['code']), String(output['error'])]
      return { code, message, status: response.status, text: JSON.stringify(output) }
    },
    close: async () => {},
  }
}

function overMcp({ sdk, close }: McpClient): Transport {
  return {
    call: async (name, args) => {
      const { content, structuredContent, isError } = await sdk.callTool(
        toolCall(name, args) as { name: string; arguments: Record<string, unknown> },
        { timeout: 120_000 },
      )
      const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
      if (isError) return { code: text.split(':')[0] ?? '', message: text.split('\n')[0] ?? '', text }
      if (structuredContent !== undefined) throw new Error(`${name} sends structuredContent`)
      return { text }
    },
    close,
  }
}

export const overStdio = async (env: Record<string, string>): Promise<Transport> => overMcp(await stdioClient(env))

export const overHttp = async (url: string, key?: string): Promise<Transport> =>
  overMcp(await httpClient(new URL('/mcp', url).href, key))

/** Returns the page text of an answer, without values that differ between calls (ids, times). */
export function markdownOf({ output, text }: Answer): string {
  const data = output?.['data'] as { markdown?: string } | undefined
  if (data?.markdown !== undefined) return data.markdown.trim()
  const block = /<(untrusted\d+)(?: markdown)?>\n([\s\S]*?)\n<\/\1>/.exec(text ?? '')?.[2] ?? ''
  return block.replace(/^Title: .*\n\n/, '').trim()
}
