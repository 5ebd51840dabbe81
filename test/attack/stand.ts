import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { createApp, localTeam } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/read-config.ts'
import { mcpOptions } from '../../src/cli/mcp-options.ts'
import { fail } from '../../src/kernel/error.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { createHttpApp } from '../../src/surfaces/http/app.ts'
import { createMcpServers, type NewServer } from '../../src/surfaces/mcp/server.ts'
import { createMcpFetch } from '../../src/surfaces/mcp/transport/http.ts'
import { type MessageCheck, messageCheck } from '../../src/surfaces/mcp/transport/bounds.ts'
import { serveStdio } from '../../src/surfaces/mcp/transport/stdio.ts'
import { once } from '../../src/util/lazy.ts'
import { toolsOn } from '../helpers/tool-call.ts'

/** What an input gets that is valid. */
export const ran = 'JOB_NOT_FOUND'
const log = createLog('silent', () => {})

/** The program with all its ways in, but operations that run nothing: none fetches a page or opens a browser. */
export function openStand() {
  const config = readConfig({}, { GOSSAMER_DATA_DIR: 'memory' })
  const app = createApp(config, log)
  const operations = app.operations.map((operation): AnyOperation => ({
    ...operation,
    // Whoever may call it: what is behind the key of the admin is tried as well.
    permissions: () => [],
    run: async () => fail(ran),
  }))
  const ofAgents = {
    ...mcpOptions(app, config, log),
    operations,
    tools: toolsOn(operations),
  }
  const mcp = createMcpFetch(ofAgents)
  const http = createHttpApp({
    ...config,
    operations,
    invoke: app.invokeOverRest,
    newCtx: app.newCtx,
    authenticate: app.authenticate,
    allowedHosts: ['localhost'],
    allowedOrigins: [],
    mcp,
    openApi: {},
    version: '0',
    log,
  })
  const stdio = openStdio(createMcpServers(ofAgents), messageCheck(ofAgents.tools))
  const send = async (request: Request) => http.fetch(request)
  const session = once(async () => {
    const { headers } = await post(send, '/mcp', message('initialize', hello))
    return { 'mcp-session-id': headers.get('mcp-session-id') ?? '' }
  })
  return {
    app: { ...app, operations, tools: ofAgents.tools },
    config,
    log,
    send,
    post: (path: string, body: string, headers?: Record<string, string>) => post(send, path, body, headers),
    session,
    line: stdio.ask,
    close: async () => {
      stdio.close()
      await mcp.close()
      await app.close()
    },
  }
}

export type Stand = ReturnType<typeof openStand>

const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

export const message = (method: string, params: unknown, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

async function post(
  send: (request: Request) => Promise<Response>,
  path: string,
  body: string,
  more: Record<string, string> = {},
) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more }
  const response = await send(new Request(`http://localhost${path}`, { method: 'POST', headers, body }))
  return { text: await response.text(), status: response.status, headers: response.headers }
}

/** One call after another: answers are taken in the order of the questions. */
function openStdio(newServer: NewServer, check: MessageCheck) {
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
