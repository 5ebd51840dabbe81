import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { createMcpFetch } from '../../src/surfaces/mcp/transport/http.ts'
import { startHttp } from '../mcp/clients.ts'
import { caller, offered, toyOptions } from '../mcp/toy.ts'
import { addFixtures } from './extend.ts'
import { fixtureOperations } from './operations.ts'

/** The production stack with the fixtures of the suite, on a free loopback port. */
export async function startConformanceServer(): Promise<{ url: string; close(): Promise<void> }> {
  const options = toyOptions()
  const mcp = createMcpFetch({
    ...options,
    ...offered([...options.operations, ...fixtureOperations]),
    progress: { gapMs: 0 },
    resourceEvents: () => () => {},
    extend: addFixtures,
  })
  const server = await startHttp(
    async (request) =>
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins()) ??
      mcp.fetch(request, caller),
  )
  return {
    url: server.url,
    close: async () => {
      await mcp.close()
      await server.close()
    },
  }
}
