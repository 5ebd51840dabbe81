import { Hono } from 'hono'
import { fail } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import { acceptUpgrades } from '../ws/upgrade.ts'
import { endpointSockets, type EndpointsOptions, type SessionEndpoints, serveEndpoints } from './endpoints.ts'
import { guard } from './guard.ts'
import { answerFailure, harden, type HttpEnv, observe } from './responses.ts'
import { listen } from './server.ts'

type Served = SessionEndpoints & Pick<EndpointsOptions, 'elsewhere'> & { log: Log }
export type EndpointServer = { url: string; close(): Promise<void> }

/**
 * Serves the session endpoints on a free loopback port, for a process without an HTTP server. The server does not keep
 * the process alive. Import this file on first use, because it loads `node:http`.
 */
export async function openEndpointServer({ endpoint, elsewhere, log }: Served): Promise<EndpointServer> {
  const endpoints = { endpoints: { endpoint }, elsewhere }
  const rules = { allowedHosts: ['127.0.0.1', 'localhost', '[::1]'], allowedOrigins: [] }
  const app = new Hono<HttpEnv>()
  app.use(observe(log), harden, guard(rules))
  serveEndpoints(app, endpoints)
  app.all('*', () => fail('NOT_FOUND'))
  app.onError((thrown, c) => answerFailure(thrown, c.get('requestId'), { log }))
  const { server, url, close } = await listen({ app, host: '127.0.0.1', port: 0, log })
  const upgrades = acceptUpgrades(server, { ...rules, routes: endpointSockets(endpoints), log })
  server.unref()
  server.on('connection', (socket) => socket.unref())
  return {
    url,
    async close() {
      await upgrades.close()
      await close(0)
    },
  }
}
