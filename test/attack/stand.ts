import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { localTeam } from '../../src/app/app.ts'
import { fail } from '../../src/kernel/error.ts'
import type { Log } from '../../src/kernel/log.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { createMcpServers, type NewServer, type MessageCheck, messageCheck } from '../../src/surfaces/mcp/server.ts'
import { serveStdio } from '../../src/surfaces/mcp/transport/serve-stdio.ts'
import { once } from '../../src/util/async.ts'
import { openProgram } from '../helpers/open-program.ts'

/** The answer to valid input. */
export const ran = 'JOB_NOT_FOUND'

/** The program with all its transports, but with operations that do nothing: none fetches a page or opens a browser. */
export function openStand() {
  const program = openProgram({}, (operations) =>
    operations.map((operation): AnyOperation => ({
      ...operation,
      // Every caller may call it, so that operations of the admin key are tested too.
      permissions: () => [],
      run: async () => fail(ran),
    })),
  )
  const { operations, ofAgents, log } = program
  const stdio = openStdio(createMcpServers(ofAgents), messageCheck(ofAgents.tools), log)
  async function post(path: string, body: string, headers?: Record<string, string>) {
    const response = await program.post(path, body, { accept: 'application/json, text/event-stream', ...headers })
    return { text: await response.text(), status: response.status, headers: response.headers }
  }
  const session = once(async () => {
    const { headers } = await post('/mcp', message('initialize', hello))
    return { 'mcp-session-id': headers.get('mcp-session-id') ?? '' }
  })
  return {
    app: { ...program.app, operations, tools: ofAgents.tools },
    config: program.config,
    log,
    send: program.send,
    post,
    session,
    line: stdio.ask,
    close: async () => {
      stdio.close()
      await program.close()
    },
  }
}

export type Stand = ReturnType<typeof openStand>

const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

export const message = (method: string, params: unknown, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

/** Calls run one after another, so responses arrive in the order of the requests. */
function openStdio(newServer: NewServer, check: MessageCheck, log: Log) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const waiting: ((line: string) => void)[] = []
  createInterface(output).on('line', (line) => waiting.shift()?.(line))
  void serveStdio({ newServer, caller: { team: localTeam, baseUrl: '' }, check, log, input, output })
  const write = (line: string) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    waiting.push(resolve)
    input.write(`${line}\n`)
    return promise
  }
  const greeted = once(() => write(message('initialize', hello)))
  return {
    ask: async (line: string) => {
      await greeted()
      return write(line)
    },
    close: () => void input.end(),
  }
}
