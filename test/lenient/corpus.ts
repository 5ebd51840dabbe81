import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { z } from 'zod'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { collectWarnings } from '../../src/middleware/answers.ts'
import { readLeniently } from '../../src/middleware/check-input.ts'
import { compose, validate } from '../../src/middleware/pipeline.ts'
import { operations } from '../../src/operations/index.ts'
import { createMcpServers } from '../../src/surfaces/mcp/server.ts'
import { serveStdio } from '../../src/surfaces/mcp/transport/serve-stdio.ts'
import { fakeCtx } from '../helpers/fakes.ts'
import { toolCall, toolsOn } from '../helpers/tool-call.ts'
import { caller, newToyCtx, toyOptions } from '../mcp/toy.ts'

type Sent = Record<string, unknown>
/**
 * A call as models make it, with one of: its meaning (`tells`: text of a warning about an ignored part), its error, or
 * text of the answer that names the call to make instead.
 */
export type Call = { tool: string; sent: Sent } & (
  | { meant: Sent; tells?: string; error?: undefined; instead?: undefined }
  | { error: { field: string; expects: string }; meant?: undefined; instead?: undefined }
  | { instead: string; meant?: undefined; error?: undefined }
)
/** The outcome: the input that the operation received, or the answer it gave instead. */
export type Got = { input?: unknown; warning: string; error?: string }

const folder = join(import.meta.dirname, 'calls')

export const calls: readonly Call[] = readdirSync(folder).flatMap((file) =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Call),
)

export const isOperation = (name: string): boolean => operations.some((operation) => operation.name === name)

export const operationOf = (name: string): AnyOperation => {
  const found = operations.find((operation) => operation.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

const rules = [collectWarnings, readLeniently, validate]

/** The operations, which report their input and return nothing but a warning. */
const reporting = (report: (input: unknown) => void) =>
  operations.map((operation): AnyOperation => ({
    ...operation,
    output: z.object({ warning: z.string().optional() }),
    ...(operation.mcp && {
      mcp: {
        ...operation.mcp,
        ...(operation.mcp.present && { present: () => ({ parts: [] }) }),
        ...(operation.mcp.data && { data: () => ({}) }),
      },
    }),
    run: async (input: unknown) => {
      report(input)
      return {}
    },
  }))

/** A server over stdio with all tools. */
export function openTools(handling: 'strict' | 'lenient' = 'lenient') {
  let input: unknown
  const reporters = reporting((received) => void (input = received))
  const options = { ...toyOptions(), operations: reporters, tools: toolsOn(reporters), invoke: compose(rules) }
  const newServer = createMcpServers({ ...options, newCtx: (init) => newToyCtx({ handling, ...init }) })
  const [up, down] = [new PassThrough(), new PassThrough()]
  const ended = new AbortController()
  void serveStdio({ newServer, caller, log: options.log, input: up, output: down, signal: ended.signal })
  const lines = createInterface({ input: down })[Symbol.asyncIterator]()
  let id = 0
  const ask = async (method: string, params: unknown) => {
    up.write(`${JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params })}\n`)
    const { value } = await lines.next()
    return JSON.parse(String(value)) as { result: { isError?: boolean; content: { text?: string }[] } }
  }
  const hello = ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })
  return {
    call: async ({ tool, sent }: Pick<Call, 'tool' | 'sent'>): Promise<Got> => {
      await hello
      input = undefined
      const { result } = await ask('tools/call', toolCall(tool, sent))
      const text = result.content.map((block) => block.text ?? '').join('\n')
      return result.isError ? { error: text, warning: '' } : { input, warning: text }
    },
    close: () => ended.abort(),
  }
}

/** The same call as an input of the REST API. */
export async function overRest({ tool, sent }: Pick<Call, 'tool' | 'sent'>): Promise<Got> {
  let input: unknown
  const invoke = compose(rules, () => async (given) => {
    input = given
    return {}
  })
  try {
    const { warning = '' } = (await invoke(operationOf(tool), sent, fakeCtx())) as { warning?: string }
    return { input, warning }
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message : '', warning: '' }
  }
}
