import { Hono } from 'hono'
import { fail } from '../../kernel/error.ts'
import type { Log } from '../../kernel/log.ts'
import { acceptUpgrades } from '../ws/upgrade.ts'
import { doorRoutes, type Doors, openDoors } from './endpoints.ts'
import { guard } from './guard.ts'
import { harden, type HttpEnv, observe } from './observe.ts'
import { answerFailure } from './refusal.ts'
import { listen } from './server.ts'

export type DoorServer = { url: string; close(): Promise<void> }

/**
 * The doors of sessions on a free port of this machine alone, for a program that has no HTTP server otherwise. To be
 * loaded when it is first needed; it never keeps the process alive.
 */
export async function openDoorServer({ door, log }: Doors & { log: Log }): Promise<DoorServer> {
  const rules = { allowedHosts: ['127.0.0.1', 'localhost', '[::1]'], allowedOrigins: [] }
  const doors = { doors: { door } }
  const app = new Hono<HttpEnv>()
  app.use(observe(log), harden, guard(rules))
  openDoors(app, doors)
  app.all('*', () => fail('NOT_FOUND'))
  app.onError((thrown, c) => answerFailure(thrown, c.get('requestId'), { log }))
  const { server, url, close } = await listen({ app, host: '127.0.0.1', port: 0, log })
  const upgrades = acceptUpgrades(server, { ...rules, routes: doorRoutes(doors), log })
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
