import type http from 'node:http'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { Delivery } from '../../src/contracts/job-ports.ts'
import { createPoster, type PosterOptions } from '../../src/engine/net/http/api-client.ts'
import { createDeliveries, insertDelivery } from '../../src/engine/store/sqlite/crawl/deliveries.ts'
import type { Db } from '../../src/engine/store/sqlite/db/db.ts'
import { openSqlite } from '../../src/engine/store/sqlite/db/sqlite-db.ts'
import { createDeliverer, type DelivererOptions } from '../../src/engine/webhook/deliver.ts'
import { tempDir } from '../store/kit.ts'
import { fakeClock, logBook } from '../contracts/fixtures.ts'
import { forTest } from '../helpers/for-all.ts'
import { bodyOf, serve } from '../helpers/listen.ts'
import { ruleForAll } from '../net/rule-for-all.ts'

export const patience = { timeout: 60_000, interval: 5 }

export type ReceivedRequest = { method: string; url: string; headers: http.IncomingHttpHeaders; body: string }
export type Answer = (request: ReceivedRequest, response: http.ServerResponse, nth: number) => void
export type Receiver = {
  readonly port: number
  readonly requests: readonly ReceivedRequest[]
  /** Maximum number of concurrent requests. */
  maxAtOnce(): number
  url(path?: string): string
}

/** A server that records its requests, such as webhook events, on a free port of 127.0.0.1; answers 200 by default. */
export async function startReceiver(answer: Answer = (_, response) => void response.end('ok')): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  const load = { now: 0, most: 0 }
  const { port } = forTest(
    await serve(async (request, response) => {
      load.now += 1
      load.most = Math.max(load.most, load.now)
      response.once('close', () => (load.now -= 1))
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: await bodyOf(request) }
      requests.push(one)
      answer(one, response, requests.length)
    }),
  )
  return { port, requests, maxAtOnce: () => load.most, url: (path = '/') => `http://127.0.0.1:${port}${path}` }
}

/** Answers with these statuses in turn; the last is repeated. */
export const status =
  (...codes: number[]): Answer =>
  (_, response, nth) =>
    void response.writeHead(codes[Math.min(nth, codes.length) - 1] ?? 200, { location: '/other' }).end()

/** Creates a poster that by default may connect only to 127.0.0.1. */
export function poster({
  allowHosts = ['127.0.0.1'],
  ...options
}: Partial<PosterOptions> & { allowHosts?: readonly string[] } = {}) {
  return createPoster({ ruleOf: ruleForAll(allowHosts), userAgent: 'gossamer-test/1', ...options })
}

/** Creates deliveries in a new database file, and deliverers on it. */
export async function openBench() {
  const path = join(await tempDir(), 'gossamer.db')
  const clock = fakeClock()
  const { log, lines } = logBook()
  const open = (): Db => forTest(openSqlite(path))
  const db = open()
  const states = async () => {
    const rows = await db.all('SELECT id, state FROM delivery ORDER BY id')
    return Object.fromEntries(rows.map((row) => [String(row.id), String(row.state)]))
  }
  const isDone = async () => !Object.values(await states()).includes('due')
  return {
    clock,
    lines,
    db,
    path,
    deliveries: createDeliveries({ db, clock }),
    states,
    isDone,
    /** Waits until no delivery is due. */
    done: () => vi.waitUntil(isDone, patience),
    add: (...added: Delivery[]) => db.transaction(added.map((each) => insertDelivery(each, each.createdAt))),
    deliverer(options: Partial<DelivererOptions> = {}) {
      return forTest(
        createDeliverer({
          deliveries: createDeliveries({ db: open(), clock }),
          post: poster().post,
          clock,
          log,
          secretOf: async () => undefined,
          retryMinutes: [1, 5, 15],
          graceMs: 200,
          ...options,
        }),
      )
    },
  }
}
