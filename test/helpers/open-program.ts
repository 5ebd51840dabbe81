import { createApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/read-config.ts'
import { mcpOptions } from '../../src/cli/mcp-options.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { createHttpApp } from '../../src/surfaces/http/app.ts'
import { createMcpFetch } from '../../src/surfaces/mcp/transport/http.ts'
import { toolsOn } from './tool-call.ts'

/** Opens the whole program with REST and MCP, without a port; `replace` may replace its operations. */
export function openProgram(
  env: Record<string, string>,
  replace: (operations: readonly AnyOperation[]) => readonly AnyOperation[],
) {
  const log = createLog('silent', () => {})
  const config = readConfig({}, { GOSSAMER_DATA_DIR: 'memory', ...env })
  const app = createApp(config, log)
  const operations = replace(app.operations)
  const ofAgents = { ...mcpOptions(app, config, log), operations, tools: toolsOn(operations) }
  const mcp = createMcpFetch(ofAgents)
  const http = createHttpApp({
    ...config,
    operations,
    invoke: app.invokeOverRest,
    newCtx: app.newCtx,
    authenticate: app.authenticate,
    refused: app.refused,
    allowedHosts: ['localhost'],
    allowedOrigins: [],
    mcp,
    openApi: () => ({}),
    version: '0',
    log,
  })
  const send = async (request: Request) => http.fetch(request)
  return {
    app,
    config,
    log,
    operations,
    ofAgents,
    send,
    /** Sends a string body unchanged, and any other body as JSON. */
    post: (path: string, body: string | object, headers: Record<string, string> = {}) =>
      send(
        new Request(`http://localhost${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    close: async () => {
      await mcp.close()
      await app.close()
    },
  }
}
